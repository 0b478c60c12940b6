internal import CSodium

/// HMAC-SHA-512, which keys of a tree are derived with.
///
/// See RFC 2104 and BIP-32.
public enum HMACSHA512 {
  /// The length of a code.
  public static let byteCount = 64

  /// The code of bytes that are no secret, under a key that is none either, such as an extended public key's chain
  /// code.
  ///
  /// - Throws: What making a ``SecretBytes`` throws: the state between the steps lies in one all the same.
  public static func code(of message: Span<UInt8>, key: Span<UInt8>) throws(CryptoError) -> [UInt8] {
    let code = try secretCode(of: message, key: key)
    return code.withBytes { code in
      var bytes: [UInt8] = []
      bytes.reserveCapacity(code.count)
      for index in code.indices { bytes.append(code[index]) }
      return bytes
    }
  }

  /// The code of bytes where it, or they, or the key, are secret.
  ///
  /// - Throws: What making a ``SecretBytes`` throws.
  public static func secretCode(
    of message: Span<UInt8>, key: Span<UInt8>
  ) throws(CryptoError) -> SecretBytes {
    // A state is a whole number of words, so the end of a page, where secrets lie, is aligned for it.
    let memory = try SecretBytes(count: crypto_auth_hmacsha512_statebytes())
    let code = try SecretBytes(count: byteCount)
    unsafe memory.withPointer { memory in
      unsafe UnsafeMutableRawPointer(memory)
        .withMemoryRebound(to: crypto_auth_hmacsha512_state.self, capacity: 1) { state in
          // The call wants an address even for nothing.
          let none: UInt8 = 0
          unsafe withUnsafePointer(to: none) { none in
            unsafe key.withUnsafeBufferPointer { key in
              _ = unsafe crypto_auth_hmacsha512_init(state, key.baseAddress ?? none, key.count)
            }
            unsafe message.withUnsafeBufferPointer { message in
              _ = unsafe crypto_auth_hmacsha512_update(
                state, message.baseAddress ?? none, UInt64(message.count))
            }
          }
          unsafe code.withPointer { code in
            _ = unsafe crypto_auth_hmacsha512_final(state, code)
          }
        }
    }
    return code
  }
}
