internal import FuekiSystem

/// A new file of an export, written from front to back.
final class ExportFile {
  private let file: File
  private var length: UInt64 = 0
  private let limit: UInt64
  private let section: String

  /// Makes the file; a section's may have only so many bytes.
  init(
    _ name: String, in directory: borrowing Directory, section: String = "", limit: UInt64 = .max
  ) throws {
    file = try directory.createFile(name)
    self.section = section
    self.limit = limit
  }

  /// Appends bytes.
  ///
  /// - Throws: ``ExportLimitError/lines(section:)``, and system errors.
  func append(_ bytes: [UInt8]) throws {
    guard length + UInt64(bytes.count) <= limit else { throw ExportLimitError.lines(section: section) }
    try file.pwriteAll(bytes, at: length)
    length += UInt64(bytes.count)
  }

  /// Waits until all of it is on the device.
  func sync() throws { try file.sync() }
}
