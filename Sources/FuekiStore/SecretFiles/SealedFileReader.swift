internal import FuekiArchive
internal import FuekiCrypto
internal import FuekiSystem

/// Reads a sealed file's records one by one, with only one in memory.
final class SealedFileReader {
  private let sealed: SealedFile
  private let file: File
  private let path: String
  private let size: UInt64
  private let head: [UInt8]
  private var position = UInt64(SealedFileLayout.headBytes)

  /// Opens a file of a data directory.
  ///
  /// - Throws: ``KeychainError/damaged(path:)`` if it is missing or altered.
  init(_ sealed: SealedFile, in directory: String) throws(KeychainError) {
    self.sealed = sealed
    head = SealedFileLayout.head(sealed.name)
    path = SecretFilesFolder.path(of: sealed, in: directory)
    do {
      file = try SecretFilesFolder.open(in: directory).openFile(sealed.fileName)
      size = try file.size()
    } catch {
      guard error.isNotFound else { throw .system(error) }
      throw .damaged(path: path)
    }
    try checkHead()
  }

  private func checkHead() throws(KeychainError) {
    guard try read(SealedFileLayout.headBytes, at: 0) == head else { throw damaged }
  }

  private var damaged: KeychainError { .damaged(path: path) }

  /// Passes the messages of all records to `body`, one at a time, and checks that nothing follows them.
  ///
  /// - Throws: ``KeychainError/damaged(path:)`` for altered bytes, and the errors of `body`.
  func forEachRecord(_ body: (borrowing SecretBytes) throws -> Void) throws {
    for number in 0..<sealed.recordCount { try body(try open(number, isEnd: false)) }
    let end = try open(sealed.recordCount, isEnd: true)
    guard end.count == 0, position == size else { throw damaged }
  }

  /// Verifies all of it without keeping anything.
  func check() throws(KeychainError) {
    do {
      try forEachRecord { _ in }
    } catch let error as KeychainError {
      throw error
    } catch {
      throw damaged
    }
  }

  private func open(_ number: UInt64, isEnd: Bool) throws(KeychainError) -> SecretBytes {
    let bytes = try sealedBytes()
    do {
      return try XChaCha20Poly1305.openSecret(
        bytes.span, key: sealed.key.bytes, nonce: SealedFileLayout.nonce(number, isEnd: isEnd),
        additionalData: head)
    } catch {
      guard error == .notAuthentic else { throw .crypto(error) }
      throw damaged
    }
  }

  private func sealedBytes() throws(KeychainError) -> [UInt8] {
    let lengthBytes = SealedFileLayout.lengthBytes
    let head = try read(lengthBytes, at: position)
    let length = head.span.littleEndian(UInt32.self, at: 0)
    let tag = XChaCha20Poly1305.tagByteCount
    guard length >= tag, length <= SealedFileLayout.recordLimit + tag,
      UInt64(length) <= size - position - UInt64(lengthBytes)
    else { throw damaged }
    let bytes = try read(Int(length), at: position + UInt64(lengthBytes))
    position += UInt64(lengthBytes) + UInt64(length)
    return bytes
  }

  private func read(_ count: Int, at offset: UInt64) throws(KeychainError) -> [UInt8] {
    guard offset <= size, UInt64(count) <= size - offset else { throw damaged }
    do {
      return try file.readExactly(count, at: offset)
    } catch {
      throw .system(error)
    }
  }
}
