internal import CSodium

/// HMAC-SHA-512, which derives the keys of a tree.
///
/// See RFC 2104 and BIP-32.
public enum HMACSHA512 {
  /// The length of a code.
  public static let byteCount = 64

  /// Returns the code of public bytes under a public key, such as an extended public key's chain code.
  ///
  /// - Throws: The errors of ``SecretBytes/init(count:)``: the intermediate state is in secret memory even
  ///   here.
  public static func code(of message: Span<UInt8>, key: Span<UInt8>) throws(CryptoError) -> [UInt8] {
    let code = try secretCode(of: message, key: key)
    return code.withBytes { code in
      var bytes: [UInt8] = []
      bytes.reserveCapacity(code.count)
      for index in code.indices { bytes.append(code[index]) }
      return bytes
    }
  }

  /// Returns the code of bytes if the bytes, the code or the key are secret.
  ///
  /// - Throws: The errors of ``SecretBytes/init(count:)``.
  public static func secretCode(
    of message: Span<UInt8>, key: Span<UInt8>
  ) throws(CryptoError) -> SecretBytes {
    // A state is a whole number of words, so its place at the end of a secret's page is aligned.
    let memory = try SecretBytes(count: crypto_auth_hmacsha512_statebytes())
    let code = try SecretBytes(count: byteCount)
    unsafe memory.withPointer { memory in
      unsafe UnsafeMutableRawPointer(memory)
        .withMemoryRebound(to: crypto_auth_hmacsha512_state.self, capacity: 1) { state in
          // The call requires an address even for an empty key.
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
