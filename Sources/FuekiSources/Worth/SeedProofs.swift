internal import FoundationEssentials
internal import FuekiCrypto
internal import FuekiWallet

extension ProofLedger {
  /// Proves a seed phrase: derives the keys at the paths of its wallets, without a passphrase.
  ///
  /// Another address is no difference, because the owner may use a passphrase that is not in the archive.
  mutating func prove(seedPhrase record: PrivateKeyRecord, _ owners: [Int]) throws {
    guard !owners.isEmpty else { return note(.noWallet(derived: ""), record, owners) }
    guard let words = try PlainWords.normalised(record.secret.bytes) else {
      return note(.words, record, owners)
    }
    let seed = try SeedPhrase.seed(words: words, passphrase: try SecretBytes(count: 0))
    let top = try ExtendedPrivateKey(seed: seed)
    for place in owners { note(try evidence(of: top, for: wallets[place]), of: place) }
  }

  private func evidence(of top: borrowing ExtendedPrivateKey, for wallet: ProvenWallet) throws -> Evidence {
    guard let stated = wallet.addresses.first else {
      return Evidence(address: "", result: .notChecked(.noAddress))
    }
    var first: String?
    for path in SeedPaths.of(wallet) {
      for key in try SeedPaths.keys(of: top, at: path, wallet.indices) {
        let derived = try DerivedAddresses(of: key, on: .secp256k1)
        if let same = wallet.addresses.first(where: derived.contains) {
          return Evidence(address: same.text, result: .proved(by: .seedPhrase))
        }
        first = first ?? derived.text(beside: stated)
      }
    }
    return Evidence(address: stated.text, result: .notChecked(.passphrase(derived: first ?? "")))
  }
}

/// Where below a seed a wallet's addresses may be.
private enum SeedPaths {
  /// The wallet's own paths, or else those that wallets of its chain usually have.
  static func of(_ wallet: ProvenWallet) -> [DerivationPath] {
    let own = wallet.paths.compactMap { text in
      DerivationPath(text.hasSuffix("/*") ? text.dropLast(2) : text[...])
    }
    guard own.isEmpty, wallet.paths.isEmpty, let first = wallet.addresses.first else { return own }
    let texts: [String]
    switch first.family {
    case .evm: texts = ["m/44h/60h/0h/0/0"]
    case .bitcoin:
      guard let coin = coin(of: BitcoinNetwork.named(wallet.chainID)?.name ?? "") else { return [] }
      texts = [84, 49, 44, 86].map { "m/\($0)h/\(coin)h/0h" }
    case .other: texts = []
    }
    return texts.compactMap { DerivationPath($0) }
  }

  /// Returns SLIP-44's number of a network's coin.
  private static func coin(of network: String) -> Int? {
    switch network {
    case "bitcoin": 0
    case "litecoin": 2
    case "dogecoin": 3
    case "": nil
    default: 1
    }
  }

  /// The public keys at a path: of an account, those of both its keychains.
  ///
  /// A key that by a very rare chance does not exist is left out.
  static func keys(
    of top: borrowing ExtendedPrivateKey, at path: DerivationPath, _ indices: Range<UInt32>
  ) throws(CryptoError) -> [[UInt8]] {
    do throws(ExtendedKeyError) {
      guard !path.steps.isEmpty else { return [try top.publicKey().key] }
      let key = try top.descendant(path).publicKey()
      switch path.steps.count {
      case 5...: return [key.key]
      case 4: return try children(of: key, indices)
      default:
        let branches = try [0, 1].map { (branch: UInt32) throws(ExtendedKeyError) in
          try children(of: try key.child(DerivationStep(number: branch)), indices)
        }
        return branches.flatMap(\.self) + [key.key]
      }
    } catch {
      guard case .crypto(let error) = error else { return [] }
      throw error
    }
  }

  private static func children(
    of key: ExtendedPublicKey, _ indices: Range<UInt32>
  ) throws(ExtendedKeyError) -> [[UInt8]] {
    var keys: [[UInt8]] = []
    for index in indices { keys.append(try key.child(DerivationStep(number: index)).key) }
    return keys
  }
}

/// Seed phrases in plain letters, whose spaces are the only part to normalise.
private enum PlainWords {
  /// Returns the words in lower case with single spaces; nil if a character is neither letter nor space.
  static func normalised(_ text: borrowing SecretBytes) throws(CryptoError) -> SecretBytes? {
    var words = try SecretBytes(count: text.count)
    let count: Int? = text.withBytes { text in
      words.withMutableBytes { words in
        var count = 0
        var isBetween = false
        for place in text.indices {
          switch text[place] {
          case 0x20, 0x09, 0x0a, 0x0d: isBetween = count > 0
          case 0x41...0x5a, 0x61...0x7a:
            if isBetween {
              words[count] = 0x20
              count += 1
              isBetween = false
            }
            words[count] = text[place] | 0x20
            count += 1
          default: return nil
          }
        }
        return count
      }
    }
    guard let count, count > 0 else { return nil }
    return try words.copy(0..<count)
  }
}
