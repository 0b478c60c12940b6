internal import FuekiArchive
internal import FuekiCrypto
internal import FuekiSystem

/// Writes records to a new sealed file.
///
/// It has its final name at once, because the name is random and meaningless until a keychain refers to it.
final class SealedFileWriter {
  let fileName: String
  private let directory: String
  private let name: [UInt8]
  private let head: [UInt8]
  private let key: SharedSecret
  private let file: File
  /// The length so far in bytes.
  private(set) var position: UInt64
  private var number: UInt64 = 0

  /// Creates an empty file in a data directory.
  init(in directory: String) throws(KeychainError) {
    self.directory = directory
    name = RandomBytes.bytes(SealedFileLayout.nameBytes)
    head = SealedFileLayout.head(name)
    fileName = Hex.encode(name) + SealedFileLayout.suffix
    position = UInt64(head.count)
    do {
      key = SharedSecret(try SecretBytes.random(count: XChaCha20Poly1305.keyByteCount))
    } catch {
      throw .crypto(error)
    }
    do {
      file = try SecretFilesFolder.make(in: directory).createFile(fileName)
      try file.pwriteAll(head, at: 0)
    } catch {
      throw .system(error)
    }
  }

  /// Appends a record's message.
  ///
  /// - Throws: ``KeychainError/overLimit(path:)`` if it exceeds an archive's limit.
  func append(_ message: Span<UInt8>) throws(KeychainError) {
    guard message.count <= SealedFileLayout.recordLimit else { throw .overLimit(path: file.path) }
    try write(message, isEnd: false)
    number += 1
  }

  /// Finishes the file, waits until it is durable, and reads it back from the device.
  ///
  /// - Throws: ``KeychainError/damaged(path:)`` if it differs from what was written.
  func finish() throws(KeychainError) -> SealedFile {
    let nothing: [UInt8] = []
    try write(nothing.span, isEnd: true)
    let sealed = SealedFile(name: name, key: key, recordCount: number)
    do {
      try file.sync()
    } catch {
      throw .system(error)
    }
    file.forgetCached()
    try SealedFileReader(sealed, in: directory).check()
    return sealed
  }

  private func write(_ message: Span<UInt8>, isEnd: Bool) throws(KeychainError) {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(SealedFileLayout.lengthBytes + message.count + XChaCha20Poly1305.tagByteCount)
    bytes.append(littleEndian: UInt32(message.count + XChaCha20Poly1305.tagByteCount))
    do {
      bytes += try XChaCha20Poly1305.seal(
        message, key: key.bytes, nonce: SealedFileLayout.nonce(number, isEnd: isEnd), additionalData: head)
    } catch {
      throw .crypto(error)
    }
    do {
      try file.pwriteAll(bytes, at: position)
    } catch {
      throw .system(error)
    }
    position += UInt64(bytes.count)
  }
}
