internal import FuekiSystem

/// A place on one of rclone's remotes, written `rclone:remote:path`.
struct RclonePath: Hashable, Sendable {
  private static let prefix = "rclone:"

  /// As people write it.
  var text: String { exact.text }

  private let exact: ExactText

  /// As rclone takes it: `remote:path`.
  var place: String { String(text.dropFirst(Self.prefix.count)) }

  static func isOne(_ text: String) -> Bool { text.hasPrefix(prefix) }

  /// Removes trailing slashes, except from a path that is only a slash.
  static func trimmed(_ text: String) -> String {
    var text = Substring(text)
    while text.hasSuffix("/"), !text.hasSuffix(":/") { text.removeLast() }
    return String(text)
  }

  /// Takes the names of remotes that are set up, and nothing else that rclone would take in their place: settings in
  /// a command line, which everybody on the machine can read, may be secrets.
  ///
  /// - Throws: ``TargetError/malformedTarget(path:)``.
  init(_ text: String) throws(TargetError) {
    let place = text.dropFirst(Self.prefix.count)
    let isPrintable = place.unicodeScalars.allSatisfy { $0.value >= 0x20 && $0.value != 0x7F }
    guard Self.isOne(text), let colon = place.firstIndex(of: ":"), isPrintable else {
      throw .malformedTarget(path: text)
    }
    let remote = place[..<colon]
    let isName =
      remote.first.map { $0 != "-" && $0 != " " } ?? false && !remote.contains { ",/\\=".contains($0) }
    guard isName else { throw .malformedTarget(path: text) }
    exact = ExactText(Self.trimmed(text))
  }

  private init(unchecked text: String) { exact = ExactText(text) }

  /// Something in this folder.
  func child(_ name: String) -> RclonePath {
    let isRoot = text.hasSuffix(":") || text.hasSuffix("/")
    return RclonePath(unchecked: isRoot ? text + name : "\(text)/\(name)")
  }

  /// A listed file of this folder, or of one below it.
  func child(_ item: RcloneItem) -> RclonePath { child(item.below) }

  /// Returns the path below a folder; nil if this is not below it.
  func relative(to folder: RclonePath) -> String? {
    let start = folder.child("").text
    guard text.utf8.starts(with: start.utf8), text.utf8.count > start.utf8.count else { return nil }
    return String(text.utf8.dropFirst(start.utf8.count))
  }
}
