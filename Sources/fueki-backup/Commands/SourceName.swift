/// A source as people name it: `store`, `all`, or `kind:PATH`.
enum SourceName {
  /// Everything that discovery finds.
  static let all = "all"

  /// Returns the path in a name; nil if it has none.
  static func path(_ name: String) -> String? {
    guard name != "store", let colon = name.utf8.firstIndex(of: UInt8(ascii: ":")) else { return nil }
    return String(name[name.utf8.index(after: colon)...])
  }

  /// Returns the kind in a name; all of it if it has no path.
  static func kind(_ name: String) -> String { String(name.utf8.prefix { $0 != UInt8(ascii: ":") }) ?? name }

  /// The same name with another path.
  static func replacingPath(in name: String, _ change: (String) -> String) -> String {
    guard let path = path(name), !path.isEmpty else { return name }
    return "\(kind(name)):\(change(path))"
  }
}
