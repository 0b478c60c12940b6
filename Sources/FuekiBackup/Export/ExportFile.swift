internal import FuekiSystem

/// A new file of an export, written from front to back.
final class ExportFile {
  private let file: File
  private var length: UInt64 = 0

  init(_ name: String, in directory: borrowing Directory) throws { file = try directory.createFile(name) }

  /// Writes behind what is there.
  func append(_ bytes: [UInt8]) throws {
    try file.pwriteAll(bytes, at: length)
    length += UInt64(bytes.count)
  }

  /// Waits until all of it is on the device.
  func sync() throws { try file.sync() }
}
