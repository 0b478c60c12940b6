/// Earlier spellings of options, which every command line may still use.
///
/// They are rewritten before the arguments are parsed, so that each option is declared once, and the help and the
/// completions have one name for it.
struct OlderSpelling {
  /// The value that follows an earlier spelling.
  private enum Value {
    case none
    case required
    /// A value only after an equals sign. Without one, another consent goes with it.
    case afterEquals(or: Consent.Kind)
    /// The value is the same for both spellings.
    case unchanged
  }

  private let old: String
  private let new: String
  /// The beginning of the new option's value.
  private let prefix: String
  private let value: Value

  private static let table =
    secrets + consents
    + [OlderSpelling(old: "--shares", new: "--guardian-shares", prefix: "", value: .unchanged)]

  private static let secrets =
    SecretSource.Name.allCases.flatMap { name in
      SecretPlace.schemes.map { scheme in
        OlderSpelling(
          old: "--\(name.optionStem)-\(scheme.dropLast())", new: name.option, prefix: scheme, value: .required
        )
      }
    } + [
      OlderSpelling(
        old: "--keystore-password-file", new: "--keystore-password-from", prefix: "file:", value: .required)
    ]

  private static let consents = [
    consent("--allow-weak-passphrase", .weakPassphrase), consent("--accept-new-passphrase", .newPassphrase),
    consent("--accept-differences", .differences), consent("--accept-older", .older),
    consent("--allow-archive-endpoints", .archiveEndpoints),
    consent("--private-keys-to-synced", .syncedKeys), consent("--while-running", .running),
    consent("--follow-links", .links),
    OlderSpelling(old: "--accept-loss", new: "--accept", prefix: "loss", value: .afterEquals(or: .newDisk)),
    OlderSpelling(old: "--confirm-hazard", new: "--accept", prefix: "hazard=", value: .required),
  ]

  private static func consent(_ old: String, _ kind: Consent.Kind) -> OlderSpelling {
    OlderSpelling(old: old, new: "--accept", prefix: kind.rawValue, value: .none)
  }

  /// Returns the arguments with the present spellings; those after `--` are unchanged.
  ///
  /// - Parameters:
  ///   - arguments: those of the command line, with the command.
  ///   - offers: whether the command has an option, by its present name.
  /// - Returns: the arguments that the parser reads.
  static func rewritten(_ arguments: [String], where offers: (String) -> Bool) -> [String] {
    let end = arguments.firstIndex(of: "--") ?? arguments.endIndex
    var words = arguments[..<end].flatMap(ShortOption.withPathSpelledOut)[...]
    let given = Array(words)
    var rewritten: [String] = []
    while let word = words.popFirst() {
      guard let spelling = table.first(where: { $0.isSpelling(word) }), offers(spelling.new) else {
        rewritten.append(word)
        continue
      }
      let option = spelling.rewritten(word, &words)
      if !spelling.isOutranked(by: given) { rewritten += option }
    }
    return rewritten + arguments[end...]
  }

  /// Whether an earlier option for the same secret, which wins over this one, is among the words.
  ///
  /// A file wins over a command, and a command over a descriptor, in any order.
  private func isOutranked(by words: [String]) -> Bool {
    guard let rank = SecretPlace.schemes.firstIndex(of: prefix) else { return false }
    return Self.secrets.contains { other in
      guard other.new == new, let others = SecretPlace.schemes.firstIndex(of: other.prefix)
      else { return false }
      return others < rank && words.contains(where: other.isSpelling)
    }
  }

  private func isSpelling(_ word: String) -> Bool { word == old || word.hasPrefix("\(old)=") }

  private func rewritten(_ word: String, _ rest: inout ArraySlice<String>) -> [String] {
    let given = word.hasPrefix("\(old)=") ? String(word.dropFirst(old.count + 1)) : nil
    switch value {
    case .unchanged: return [new + (given.map { "=\($0)" } ?? "")]
    case .none: return given == nil ? ["\(new)=\(prefix)"] : [word]
    case .afterEquals(let other):
      return given.map { ["\(new)=\(prefix)=\($0)"] } ?? ["\(new)=\(prefix)", "\(new)=\(other.rawValue)"]
    case .required:
      if let given { return ["\(new)=\(spelled(given))"] }
      // The parser reports a missing value.
      guard let next = rest.first, !next.hasPrefix("-") else { return [new] }
      rest.removeFirst()
      return [new, spelled(next)]
    }
  }

  /// `-p` may be followed by any form of a place, too.
  private func spelled(_ value: String) -> String {
    SecretPlace.schemes.contains(prefix) && SecretPlace.isMeant(by: value) ? value : prefix + value
  }
}
