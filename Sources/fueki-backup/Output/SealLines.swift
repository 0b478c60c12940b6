internal import FuekiBackup

/// The proof of an archive's seals, in words.
enum SealLines {
  /// The value of the line "seals" that `show` prints; nil if a signature covers them.
  static func value(_ cover: SealCover) -> String? {
    switch cover {
    case .covered: nil
    case .uncovered: "its signature does not cover them"
    case .unsigned: "unsigned: nothing vouches for them"
    }
  }

  /// The member of the JSON list; nil if a signature covers the seals.
  static func uncovered(_ cover: SealCover) -> String? { cover == .covered ? nil : cover.rawValue }

  /// The line that `verify` prints.
  ///
  /// - Parameters:
  ///   - cover: whether a signature covers the seals.
  ///   - wasOpened: whether a secret opened the archive, which checks the seals of the scopes that it opens.
  /// - Returns: nil if a signature covers the seals.
  static func sentence(_ cover: SealCover, wasOpened: Bool) -> String? {
    let rest = wasOpened ? "" : ". Opening was not tried"
    switch cover {
    case .covered: return nil
    case .uncovered: return "its signature does not cover the seals\(rest)"
    case .unsigned: return "it is unsigned, so nothing vouches for the seals\(rest)"
    }
  }

  /// The note below a list of archives; nil if the signatures of all of them cover the seals.
  static func note(_ covers: [SealCover]) -> String? {
    let count = covers.count { $0 != .covered }
    guard count > 0 else { return nil }
    return "no signature covers the seals of \(Readable.count(count, "archive")). Opening was not tried"
  }
}
