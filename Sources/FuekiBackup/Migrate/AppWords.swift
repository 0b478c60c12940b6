internal import FoundationEssentials
internal import FuekiWallet

extension RecordMigration {
  /// From version 0, whose records have the words of the Fueki app's own files, to version 1.
  ///
  /// The app writes kinds and states of its own spelling, and no family of chains. A word that is spelled otherwise is
  /// kept in `extra` under the app's name for it, as its source had it.
  static let appWords = RecordMigration(
    from: 0,
    [
      Change { (wallet: inout Wallet) in wallet.takeAppWords() },
      Change { (contact: inout Contact) in contact.takeAppWords() },
      Change { (transaction: inout Transaction) in transaction.takeAppWords() },
    ])
}

extension Wallet {
  fileprivate mutating func takeAppWords() {
    if let word = AppWord(kind, among: WalletKind.allCases.map(\.rawValue)) {
      kind = word.known
      extra.append(word.kept(as: "type"))
    }
    if hazards.isEmpty { hazards = WalletHazard.ofKind(kind).map(\.rawValue) }
    if chainFamily.isEmpty { chainFamily = AppWord.family(of: address) }
  }
}

extension Contact {
  fileprivate mutating func takeAppWords() {
    if chainFamily.isEmpty { chainFamily = AppWord.family(of: address) }
  }
}

extension Transaction {
  fileprivate mutating func takeAppWords() {
    guard let word = AppWord(status, among: TransactionStatus.allCases.map(\.rawValue)) else { return }
    status = word.known
    extra.append(word.kept(as: "status"))
  }
}

/// A word of the app's that differs from one of this schema's in capitals and separators only.
private struct AppWord {
  let known: String
  private let written: String

  init?(_ written: String, among words: [String]) {
    let letters = Self.letters(of: written)
    guard !words.contains(written), !letters.isEmpty,
      let known = words.first(where: { Self.letters(of: $0) == letters })
    else { return nil }
    self.known = known
    self.written = written
  }

  private static func letters(of text: String) -> String {
    // What stands between the letters is ASCII, so that the word can be kept without escapes.
    guard text.utf8.allSatisfy({ 0x20..<0x7f ~= $0 && $0 != 0x22 && $0 != 0x5c }) else { return "" }
    return text.lowercased().filter { !"-_ ".contains($0) }
  }

  func kept(as name: String) -> Extra {
    var extra = Extra()
    extra.name = name
    extra.json = "\"\(written)\""
    return extra
  }

  /// The app does not write the family down, but no other family's addresses look like this.
  static func family(of address: Data) -> String {
    guard let text = PackedText.text(address), text.hasPrefix("0x"), text.utf8.count == 42 else { return "" }
    return ChainFamily.evm.name
  }
}
