/// A place where a person keeps a wallet's file.
enum LifePlace: Int, CaseIterable {
  case everyday, savings, solana, note, nested

  /// The path below the home directory.
  var path: String {
    switch self {
    case .everyday: ".electrum/wallets/default_wallet"
    case .savings: ".electrum/wallets/savings"
    case .solana: ".config/solana/id.json"
    case .note: "wallets/one"
    case .nested: "wallets/deep/two"
    }
  }

  /// The configuration's source that reads it.
  var source: LifeSource {
    switch self {
    case .everyday, .savings: .electrum
    case .solana: .solana
    case .note, .nested: .file
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
    }
  }

  private static let firstKey =
    "vpub5W2G8Rz9D4Ucn9hVrnMcVLTozmTFVxeLkcWvyzNid6YS7S3phL3d1m1Ufx3WA2NySx4RDC4Dk6T9SkDvNz6FndkmbtWooPBM5JtFc7yBk5u"
  private static let secondKey =
    "xpub661MyMwAqRbcFtXgS5sYJABqqG9YLmC4Q1Rdap9gSE8NqtwybGhePY2gZ29ESFjqJoCu1Rupje8YtGqsefD265TMg7usUDFdp6W1EGMcet8"

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
  case electrum, solana, file

  var kind: String {
    switch self {
    case .electrum: "electrum"
    case .solana: "solana"
    case .file: "file"
    }
  }

  var path: String {
    switch self {
    case .electrum: "~/.electrum/wallets"
    case .solana: "~/.config/solana"
    case .file: "~/wallets"
    }
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
