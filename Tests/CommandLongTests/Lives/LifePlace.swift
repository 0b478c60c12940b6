import CommandSupport

/// A place where a person keeps a wallet's file.
enum LifePlace: Int, CaseIterable {
  case everyday, savings, solana, note, nested, letter, moved, keystore

  /// The path below the home directory.
  var path: String {
    switch self {
    case .everyday: ".electrum/wallets/default_wallet"
    case .savings: ".electrum/wallets/savings"
    case .solana: ".config/solana/id.json"
    case .note: "wallets/one"
    case .nested: "wallets/deep/two"
    case .letter: "papers/letter.odt"
    case .moved: "savings/chain/moved_wallet"
    case .keystore: ".ethereum/keystore/UTC--2021-02-03T04-05-06.1Z--ab"
    }
  }

  /// The configuration's source that reads it.
  var source: LifeSource {
    switch self {
    case .everyday, .savings: .electrum
    case .solana: .solana
    case .note, .nested: .file
    case .letter: .papers
    case .moved: .elsewhere
    case .keystore: .geth
    }
  }

  /// A sound file of this place, another one for each version.
  func content(_ version: Int) -> [UInt8] {
    switch self {
    case .everyday: Self.electrum(version, seed: "salmon nut prepare", key: Self.firstKey)
    case .savings: Self.electrum(version, seed: "carbon eager radar", key: Self.secondKey)
    case .solana: Self.solana(version)
    case .note: Array("canary note, version \(version)\n".utf8)
    case .nested: Array(String(repeating: "canary of many lines, version \(version)\n", count: 3000).utf8)
    case .letter: Array("Dear Satoshi, canary version \(version)\n".utf8)
    case .moved: Self.electrum(version, seed: "turtle amber quiz", key: Self.thirdKey)
    case .keystore:
      Array(ImportedFiles.keystore.utf8) + [UInt8](repeating: UInt8(ascii: "\n"), count: version)
    }
  }

  private static let firstKey =
    "vpub5W2G8Rz9D4Ucn9hVrnMcVLTozmTFVxeLkcWvyzNid6YS7S3phL3d1m1Ufx3WA2NySx4RDC4Dk6T9SkDvNz6FndkmbtWooPBM5JtFc7yBk5u"
  private static let secondKey =
    "xpub661MyMwAqRbcFtXgS5sYJABqqG9YLmC4Q1Rdap9gSE8NqtwybGhePY2gZ29ESFjqJoCu1Rupje8YtGqsefD265TMg7usUDFdp6W1EGMcet8"
  private static let thirdKey =
    "xpub661MyMwAqRbcFW31YEwpkMuc5THy2PSt5bDMsktWQcFF8syAmRUapSCGu8ED9W6oDMSgv6Zz8idoc4a6mr8BDzTJY47LJhkJ8UB7WEGuduB"

  private static func electrum(_ version: Int, seed: String, key: String) -> [UInt8] {
    let text = """
      {"seed_version": 60, "wallet_type": "standard", "use_encryption": false,
      "labels": {"a": "rent \(version)"}, "contacts": {},
      "keystore": {"type": "bip32", "derivation": "m/0'", "root_fingerprint": "f4a32e43",
      "seed": "canary \(seed)", "xpub": "\(key)"}}

      """
    return Array(text.utf8)
  }

  private static func solana(_ version: Int) -> [UInt8] {
    // The public key of the secret bytes 1 to 32.
    let publicKey = [
      121, 181, 86, 46, 143, 230, 84, 249, 64, 120, 177, 18, 232, 169, 139, 167,
      144, 31, 133, 58, 230, 149, 190, 215, 224, 227, 145, 11, 173, 4, 150, 100,
    ]
    let numbers = (Array(1...32) + publicKey).map(String.init).joined(separator: ",")
    return Array("[\(numbers)]\(String(repeating: "\n", count: version))".utf8)
  }
}

/// A `[[source]]` of a life's configuration.
enum LifeSource: CaseIterable {
  case electrum, solana, file, papers, elsewhere, geth

  var kind: String {
    switch self {
    case .electrum, .elsewhere: "electrum"
    case .solana: "solana"
    case .file, .papers: "file"
    case .geth: "keystore"
    }
  }

  var path: String {
    switch self {
    case .electrum: "~/.electrum/wallets"
    case .solana: "~/.config/solana"
    case .file: "~/wallets"
    case .papers: "~/papers"
    case .elsewhere: "~/savings/chain"
    case .geth: "~/.ethereum/keystore"
    }
  }

  /// Whether a configuration has it, or what is in it.
  func isIn(_ configuration: String) -> Bool {
    configuration.contains("kind = \"\(kind)\"\npath = \"\(path)")
  }

  var places: [LifePlace] { LifePlace.allCases.filter { $0.source == self } }
}

/// Damage to a file that its owner did not cause.
enum LifeDamage: CaseIterable {
  case zeros, empty

  func applied(to content: [UInt8]) -> [UInt8] {
    switch self {
    case .zeros: [UInt8](repeating: 0, count: content.count)
    case .empty: []
    }
  }
}
