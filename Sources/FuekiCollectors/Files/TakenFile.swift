internal import FuekiBackup

/// How to back up a file: from a copy, or directly.
struct TakenFile {
  /// Nil if the file itself is consistent, or there is nothing better.
  let copy: CopiedFile?
  /// Whether it is a damaged database.
  var isDamaged = false
  /// Whether files next to it belong to it.
  ///
  /// A copy includes their changes, while the file itself lacks them.
  var hasParts: Bool { copy == nil }
}
