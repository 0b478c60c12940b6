internal import COpenSSL

/// The intermediate numbers of a calculation, wiped when released.
///
/// Safe for the same reason as ``BigNumber``.
@safe struct ScratchNumbers: ~Copyable {
  let pointer: OpaquePointer

  init() throws(CryptoError) {
    guard let context = unsafe BN_CTX_secure_new() else { throw .outOfMemory }
    unsafe pointer = context
  }

  deinit { unsafe BN_CTX_free(pointer) }
}
