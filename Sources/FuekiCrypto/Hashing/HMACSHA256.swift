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
