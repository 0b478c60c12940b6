internal import FuekiArchive

/// An age recipient, and the scopes that it is to open: `age1…` or `age1…=history,profile`.
struct NamedRecipient {
  private(set) var recipient: any Recipient
  /// As age writes it.
  let text: String
  let mask: ScopeMask

  /// The recipient with its scopes, on one line.
  var line: String { "\(text)=\(mask.scopes.map(\.name).joined(separator: ","))" }

  init(_ text: String) throws {
    let parts = text.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
    let name = parts.first ?? ""
    do {
      recipient = try RecipientText.read(name, plugins: PluginQuestions.plugins)
    } catch {
      throw CommandError.usage("\(name) is not an age recipient (age1…)")
    }
    self.text = recipient.text ?? name
    guard parts.count == 2 else {
      mask = .all
      return
    }
    let names = parts[1].split(separator: ",", omittingEmptySubsequences: false)
    let scopes = try names.map { name in
      guard let scope = ArchiveScope.allCases.first(where: { $0.name == name }) else {
        throw CommandError.usage("\(name) is not a scope. The scopes are profile, history and secrets")
      }
      return scope
    }
    mask = ScopeMask(scopes)
  }

  /// Returns the recipient, with the configuration's declaration of a plugin's.
  func declared(_ postQuantum: Set<String>) -> NamedRecipient {
    guard postQuantum.contains(text), let plugin = recipient as? PluginRecipient else { return self }
    var declared = self
    declared.recipient = plugin.declaredForTheLongTerm()
    return declared
  }

  /// A recipients' file as age reads it: one a line, `#` comments and empty lines passed over.
  static func all(inFile path: String) throws -> [NamedRecipient] {
    var recipients: [NamedRecipient] = []
    for (index, line) in try TextFile.trustedLines(at: path).enumerated() {
      let entry = line.filter { !$0.isWhitespace }
      guard !entry.isEmpty, !entry.hasPrefix("#") else { continue }
      do {
        recipients.append(try NamedRecipient(entry))
      } catch CommandError.usage(let reason) {
        throw CommandError.usage("\(path), line \(index + 1): \(reason)")
      }
    }
    guard !recipients.isEmpty else { throw CommandError.usage("\(path) names no recipient") }
    return recipients
  }
}
