internal import CSodium

/// HMAC-SHA-256 whose state, as sensitive as the key, is in secret memory.
struct HMACSHA256: ~Copyable {
  private let memory: SecretBytes

  init() throws(CryptoError) {
    // A state is a whole number of words, so its place at the end of a secret's page is aligned.
    memory = try SecretBytes(count: crypto_auth_hmacsha256_statebytes())
  }

  /// Starts a new code and discards the previous state.
  mutating func begin(key: Span<UInt8>) {
    unsafe withState { state in
      unsafe key.withUnsafeBufferPointer { key in
        // An empty key means zeros, but the call requires an address even then.
        let none: UInt8 = 0
        _ = unsafe withUnsafePointer(to: none) { none in
          unsafe crypto_auth_hmacsha256_init(state, key.baseAddress ?? none, key.count)
        }
      }
    }
  }

  /// Adds the next bytes.
  mutating func update(_ bytes: Span<UInt8>) {
    unsafe withState { state in
      unsafe bytes.withUnsafeBufferPointer { bytes in
        guard let start = bytes.baseAddress else { return }
        _ = unsafe crypto_auth_hmacsha256_update(state, start, UInt64(bytes.count))
      }
    }
  }

  /// Finishes the code and writes its 32 bytes.
  mutating func finish(into secret: borrowing SecretBytes, at offset: Int) {
    unsafe withState { state in
      _ = unsafe secret.withPointer { unsafe crypto_auth_hmacsha256_final(state, $0 + offset) }
    }
  }

  private func withState(_ body: (UnsafeMutablePointer<crypto_auth_hmacsha256_state>) -> Void) {
    unsafe memory.withPointer { pointer in
      unsafe UnsafeMutableRawPointer(pointer)
        .withMemoryRebound(to: crypto_auth_hmacsha256_state.self, capacity: 1) { unsafe body($0) }
    }
  }
}

/// HMAC-SHA-512, which derives the keys of a tree.
///
/// See RFC 2104 and BIP-32.
public enum HMACSHA512 {
  /// The length of a code.
  static let byteCount = 64

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

/// Derivation of keys from a secret of high entropy, HKDF with SHA-256.
///
/// See RFC 5869. libsodium 1.0.18 has the HMAC but not the HKDF.
public enum HKDF {
  private static let hashByteCount = Digest.byteCount

  /// Extracts a pseudorandom key of 32 bytes from the secret.
  ///
  /// An empty salt means zeros.
  ///
  /// - Throws: ``CryptoError/outOfMemory`` or ``CryptoError/unavailable``.
  public static func extract(salt: [UInt8], ikm: borrowing SecretBytes) throws(CryptoError) -> SecretBytes {
    let key = try SecretBytes(count: hashByteCount)
    var state = try HMACSHA256()
    state.begin(key: salt.span)
    ikm.withBytes { state.update($0) }
    state.finish(into: key, at: 0)
    return key
  }

  /// Derives up to 8160 bytes for the purpose named by `info`.
  ///
  /// - Throws: ``CryptoError/invalidLength`` for a `prk` under 32 bytes or a count outside 0…8160,
  ///   ``CryptoError/outOfMemory`` or ``CryptoError/unavailable``.
  public static func expand(
    prk: borrowing SecretBytes, info: [UInt8], count: Int
  ) throws(CryptoError) -> SecretBytes {
    guard prk.count >= hashByteCount, (0...255 * hashByteCount).contains(count) else { throw .invalidLength }
    let blockCount = (count + hashByteCount - 1) / hashByteCount
    let blocks = try SecretBytes(count: blockCount * hashByteCount)
    var state = try HMACSHA256()
    for index in 0..<blockCount {
      prk.withBytes { state.begin(key: $0) }
      if index > 0 {
        let previous = (index - 1) * hashByteCount..<index * hashByteCount
        blocks.withBytes { state.update($0.extracting(previous)) }
      }
      state.update(info.span)
      state.update([UInt8(index + 1)].span)
      state.finish(into: blocks, at: index * hashByteCount)
    }
    return count == blocks.count ? blocks : try blocks.copy(0..<count)
  }
}
