internal import FuekiBackup
internal import FuekiCrypto
public import FuekiSystem
internal import FuekiWallet

/// An open, unlinked copy of a file, which disappears when it is no longer used.
public final class CopiedFile: Sendable {
  let file: File
  let byteCount: UInt64

  /// Takes ownership of an open file.
  public init(_ file: consuming File) throws(SystemError) {
    byteCount = try file.size()
    self.file = file
  }
}
