internal import FuekiBackup
internal import FuekiSystem

/// How progress is shown.
enum ProgressStyle: String, CaseIterable {
  /// A line of its own, at most every ten seconds: for who listens to a screen reader, and for logs.
  case plain
  case json
  case none

  static let variable = "FUEKI_PROGRESS"

  /// The configured style, loaded before anything is shown.
  private static let configured = Locked<ProgressStyle?>(nil)

  static func configure(_ style: ProgressStyle?) { configured.withLock { $0 = style ?? $0 } }

  /// The style without an option: the environment's, else the configuration's, else plain on a terminal without cursor
  /// movement.
  ///
  /// - Throws: a ``Failure`` if the environment has an unknown style.
  static func usual() throws -> ProgressStyle? {
    if let name = Environment.get(variable), !name.isEmpty {
      guard let style = ProgressStyle(rawValue: name) else {
        let names = allCases.map(\.rawValue).joined(separator: ", ")
        throw Failure(.usage, "\(variable) is \"\(name)\": it must be one of \(names)")
      }
      return style
    }
    if let style = configured.withLock({ $0 }) { return style }
    return Environment.get("TERM") == "dumb" && StandardStream.error.isTerminal ? .plain : nil
  }
}
