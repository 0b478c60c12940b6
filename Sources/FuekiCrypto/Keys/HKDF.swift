internal import CSodium

/// Derivation of keys from a secret of high entropy, HKDF with SHA-256.
///
/// See RFC 5869. libsodium 1.0.18 has the HMAC but not the HKDF.
public enum HKDF {
  private static let hashByteCount = Digest.byteCount

  /// Concentrates the secret into a pseudorandom key of 32 bytes; an empty salt stands for zeros.
  ///
  /// - Throws: ``CryptoError/outOfMemory`` or ``CryptoError/unavailable``.
  public static func extract(salt: [UInt8], ikm: borrowing SecretBytes) throws(CryptoError) -> SecretBytes {
    let key = try SecretBytes(count: hashByteCount)
    var state = try MAC()
    state.begin(key: salt.span)
    ikm.withBytes { state.update($0) }
    state.finish(into: key, at: 0)
    return key
  }

  /// Derives up to 8160 bytes for one purpose, which `info` names.
  ///
  /// - Throws: ``CryptoError/invalidLength`` for a `prk` under 32 bytes or a count outside 0…8160,
  ///   ``CryptoError/outOfMemory`` or ``CryptoError/unavailable``.
  public static func expand(
    prk: borrowing SecretBytes, info: [UInt8], count: Int
  ) throws(CryptoError) -> SecretBytes {
    guard prk.count >= hashByteCount, (0...255 * hashByteCount).contains(count) else { throw .invalidLength }
    let blockCount = (count + hashByteCount - 1) / hashByteCount
    let blocks = try SecretBytes(count: blockCount * hashByteCount)
    var state = try MAC()
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

/// HMAC-SHA-256 whose state, which is as good as the key, lies in a secret.
private struct MAC: ~Copyable {
  private let memory: SecretBytes

  init() throws(CryptoError) {
    // A state is a whole number of words, so the end of a page, where secrets lie, is aligned for it.
    memory = try SecretBytes(count: crypto_auth_hmacsha256_statebytes())
  }

  mutating func begin(key: Span<UInt8>) {
    unsafe withState { state in
      unsafe key.withUnsafeBufferPointer { key in
        // An empty key is one of zeros, and the call wants an address even for that.
        let none: UInt8 = 0
        _ = unsafe withUnsafePointer(to: none) { none in
          unsafe crypto_auth_hmacsha256_init(state, key.baseAddress ?? none, key.count)
        }
      }
    }
  }

  mutating func update(_ bytes: Span<UInt8>) {
    unsafe withState { state in
      unsafe bytes.withUnsafeBufferPointer { bytes in
        guard let start = bytes.baseAddress else { return }
        _ = unsafe crypto_auth_hmacsha256_update(state, start, UInt64(bytes.count))
      }
    }
  }

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
