/// A URL that may grant access by itself.
///
/// Only its host is ever shown.
struct PrivateURL: CustomStringConvertible {
  let text: String
  private let origin: Substring

  /// Nil if it is no `http` or `https` URL, or contains a user.
  init?(_ text: String) {
    guard let scheme = ["https://", "http://"].first(where: text.hasPrefix) else { return nil }
    let rest = text.dropFirst(scheme.count)
    let authority = rest.prefix { !"/?#".contains($0) }
    let isPlain = text.unicodeScalars.allSatisfy { $0.value > 0x20 && $0.value < 0x7F }
    guard isPlain, !authority.isEmpty, !authority.contains("@") else { return nil }
    self.text = text
    origin = text.prefix(scheme.count + authority.count)
  }

  /// Where it leads, and no more.
  var description: String { text == origin || text == "\(origin)/" ? text : "\(origin)/…" }

  /// Returns the URL with a longer path, and its query unchanged.
  func appending(_ path: String) -> String {
    let end = text.firstIndex { "?#".contains($0) } ?? text.endIndex
    let base = text[..<end]
    return (base.last == "/" ? base.dropLast() : base) + path + text[end...]
  }
}
