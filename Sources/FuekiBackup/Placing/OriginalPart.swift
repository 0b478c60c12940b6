internal import FuekiWallet

/// A part of an original file, with its bytes for as long as a call takes.
struct OriginalPart {
  let key: OriginalFile.Key
  let offset: UInt64
  /// The file's facts, from its first part.
  let file: OriginalFile
}
