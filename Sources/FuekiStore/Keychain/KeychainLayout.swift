/// The file `keychain.sealed`, version 2.
///
/// Integers are unsigned and little-endian. H is SHA-256, Extract and Expand are HKDF-SHA-256, AEAD(k, n, p; a) is
/// XChaCha20-Poly1305 with nonce n and additional data a. Labels are ASCII without a terminator.
///
/// | offset | size | what |
/// |---|---|---|
/// | 0 | 8 | magic `89 46 4B 4B 0D 0A 1A 0A` |
/// | 8 | 2 | u16 version = 2 |
/// | 10 | 2 | u16 number of slots s, 1…8 |
/// | 12 | 4 | u32 number of items, at most 65,536 |
/// | 16 | 8 | u64 generation: 1, then one more with every write |
/// | 24 | 16 | keychain id: random, drawn together with the file key |
/// | 40 | 16 | write salt: random, drawn for every write |
/// | 56 | s × 105 | slots |
/// | … | … | items |
/// | … | 16 | seal |
/// | … | 32 | H(all bytes before) |
///
///     slot    = u8 type ‖ 16-byte salt ‖ u32 memory in KiB ‖ u32 passes ‖ commitment (32) ‖ wrapped (48)
///     okm     = Expand(Extract(keychain id, secret), "fueki keychain/1 slot" ‖ the slot's first 25 bytes, 64)
///             = wrapping key (32) ‖ commitment (32)
///     wrapped = AEAD(wrapping key, 24 zero bytes, file key; nothing)
///     PRK     = Extract(keychain id, file key)
///     item    = u8 kind ‖ 16-byte id ‖ u32 length of what follows ‖ nonce (24) ‖ AEAD(item key, nonce, content;
///               u8 kind ‖ id ‖ u32 place among the items)
///     item key = Expand(PRK, "fueki keychain/1 items" ‖ u64 generation ‖ write salt, 32)
///     seal    = Expand(PRK, "fueki keychain/1 seal" ‖ H(all bytes before the seal), 16)
///
/// Slot type 1 is a passphrase; its secret is Argon2id of it, 32 bytes. Type 2 is a key file; its secret is
/// the file's bytes, and memory and passes are 0. The zero nonce is safe because a slot is made once for its
/// file key, with its own salt. Revoking a slot requires a new file key, with a new keychain id.
///
/// Item kinds: 1 key share: u32 length ‖ KeyShareDescriptor ‖ the secret bytes; 2 private key: the message of
/// section 65; 4 endpoint credential (reserved); 5 sealed file, whose id is its name: key (32) ‖ u64 number of records,
/// of ``SealedFileLayout``. Other kinds are preserved.
///
/// The hash at the end needs no key, so damage is distinguished from a wrong secret. The seal needs one:
/// items cannot be dropped, added, or taken from another write, whose key differs.
enum KeychainLayout {
  static let magic: [UInt8] = [0x89, 0x46, 0x4B, 0x4B, 0x0D, 0x0A, 0x1A, 0x0A]
  static let version: UInt16 = 2
  static let headBytes = 56
  static let slotBytes = 105
  static let itemHeadBytes = 21
  static let sealBytes = 16
  static let digestBytes = 32
  static let slotCounts = 1...8
  static let itemLimit = 1 << 16
  static let fileLimit = 256 << 20
  static let keyFileBytes = 32...64 << 20

  static let slotLabel = Array("fueki keychain/1 slot".utf8)
  static let itemsLabel = Array("fueki keychain/1 items".utf8)
  static let sealLabel = Array("fueki keychain/1 seal".utf8)
}

extension Span<UInt8> {
  /// Copies a range of the bytes.
  func array(_ range: Range<Int>) -> [UInt8] {
    [UInt8](capacity: range.count) { output in
      for place in range { output.append(self[place]) }
    }
  }
}
