internal import COpenSSL

/// An OpenSSL big number, wiped when released.
///
/// Safe because one value owns the number, and only calls that borrow the value receive the pointer.
@safe struct BigNumber: ~Copyable {
  let pointer: OpaquePointer

  init() throws(CryptoError) {
    guard let number = unsafe BN_secure_new() else { throw .outOfMemory }
    unsafe pointer = number
  }

  /// Reads a big-endian number.
  init(_ bytes: Span<UInt8>) throws(CryptoError) {
    let number = try BigNumber()
    let result = unsafe bytes.withUnsafeBufferPointer { bytes in
      unsafe BN_bin2bn(bytes.baseAddress, Int32(clamping: bytes.count), number.pointer)
    }
    guard unsafe result != nil else { throw .outOfMemory }
    self = number
  }

  /// Reads a big-endian number and requests constant-time arithmetic.
  init(secret: borrowing SecretBytes) throws(CryptoError) {
    let number = try secret.withBytes { (bytes) throws(CryptoError) in try BigNumber(bytes) }
    unsafe BN_set_flags(number.pointer, BN_FLG_CONSTTIME)
    self = number
  }

  deinit { unsafe BN_clear_free(pointer) }

  /// Writes the number big-endian with leading zeros.
  func secretBytes(count: Int) throws(CryptoError) -> SecretBytes {
    let bytes = try SecretBytes(count: count)
    let written = unsafe bytes.withPointer { unsafe BN_bn2binpad(pointer, $0, Int32(clamping: count)) }
    guard written >= 0 else { throw .invalidLength }
    return bytes
  }
}
