/// Words that people type for sections that have other names.
enum GuessedSection {
  private static let meant: [(words: Set<String>, sentence: String)] = [
    (
      ["key", "keys", "privkeys", "private", "privatekeys"],
      "keys are in private-keys, key-shares and secret-files, which secrets covers"
    ),
    (["seed", "seeds", "words", "mnemonic", "phrase"], "seed phrases are in private-keys and secret-files"),
    (["share", "shares"], "key shares are in key-shares, and what describes them in key-share-descriptors"),
    (["tx", "txs", "transfers"], "transactions are in transactions, which history covers"),
    (["addresses", "addressbook", "address-book"], "addresses that you named are in contacts"),
    (["passwords", "logins"], "passwords for services are in credentials"),
    (["wallet", "accounts"], "wallets are in wallets, which profile covers"),
  ]

  /// Returns the intended section, in a sentence; nil for an unknown word.
  static func of(_ word: String) -> String? {
    meant.first { $0.words.contains(word.lowercased()) }?.sentence
  }

  /// Returns the sentence for any other word, which may be a secret and is repeated only if it resembles a name.
  static func sentence(of word: String, _ nearest: String) -> String {
    guard NearestName.distance(word, nearest) <= 2 else { return "there is no scope or section of that name" }
    return "there is no scope or section \"\(word)\". Did you mean \"\(nearest)\"?"
  }
}
