internal import FuekiCrypto

/// A message with one secret: the fields before it, the secret, the fields after it.
///
/// Only the secret and unknown fields need protected memory.
enum SecretMessage {
  /// Assembles a message.
  ///
  /// - Parameters:
  ///   - head: the encoded fields before the secret, including the secret's tag and length.
  ///   - secret: the secret.
  ///   - tail: the encoded fields after the secret.
  ///   - unknown: encoded fields unknown to this version.
  /// - Returns: the message's bytes.
  /// - Throws: ``SecretRecordError/outOfMemory``.
  static func joined(
    head: [UInt8], secret: SharedSecret, tail: [UInt8], unknown: SharedSecret?
  ) throws(SecretRecordError) -> SecretBytes {
    let unknownCount = unknown.map { $0.bytes.count } ?? 0
    do {
      return try SecretBytes(count: head.count + secret.bytes.count + tail.count + unknownCount) {
        (output: inout MutableSpan<UInt8>) throws(CryptoError) in
        var position = 0
        put(head.span, into: &output, at: &position)
        secret.bytes.withBytes { put($0, into: &output, at: &position) }
        put(tail.span, into: &output, at: &position)
        unknown?.bytes.withBytes { put($0, into: &output, at: &position) }
      }
    } catch {
      throw .outOfMemory
    }
  }

  /// Copies and concatenates ranges of a message.
  static func copy(_ ranges: [Range<Int>], of message: Span<UInt8>) throws(SecretRecordError) -> SharedSecret
  {
    let count = ranges.reduce(0) { $0 + $1.count }
    do {
      var secret = try SecretBytes(count: count)
      secret.withMutableBytes { output in
        var position = 0
        for range in ranges { put(message.extracting(range), into: &output, at: &position) }
      }
      return SharedSecret(secret)
    } catch {
      throw .outOfMemory
    }
  }

  private static func put(
    _ bytes: Span<UInt8>, into output: inout MutableSpan<UInt8>, at position: inout Int
  ) {
    output.write(bytes, at: position)
    position += bytes.count
  }
}

/// The fields of a message seen so far, to refuse duplicates.
struct FieldsSeen {
  private var mask: UInt64 = 0

  /// Records a singular field.
  mutating func note(_ field: WireField) throws(WireError) {
    let bit: UInt64 = 1 << UInt64(field.number & 63)
    guard mask & bit == 0 else { throw .repeated(field: field.number) }
    mask |= bit
  }
}
