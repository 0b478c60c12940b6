internal import FuekiBackup
internal import FuekiWallet

/// Coordinators' JSON files: Caravan's, Specter's and compatible ones, Liana's, and Coldcard's single-key
/// export.
enum CoordinatorDocuments {
  private static let walletLimit = 4096
  private static let keyLimit = 64
  private static let labelLimit = 100_000

  /// Parses a document; nil if it is none of these.
  static func wallets(_ root: JSONValue, name: String, work: WorkBudget) -> [CoordinatedWallet]? {
    if root.kind == .array {
      let all = root.children.prefix(walletLimit).map { wallet($0, name, work) }
      let found = all.compactMap(\.self)
      return found.isEmpty || found.count < all.count ? nil : found
    }
    if let accounts = root.member("accounts"), accounts.kind == .array,
      accounts.children.contains(where: { $0.member("descriptor")?.string != nil })
    {
      return accounts.children.prefix(walletLimit).map { liana($0, of: root, name, work) }
    }
    let keystores = ["bip44", "bip49", "bip84", "bip86"].compactMap { root.member($0) }
    if root.member("xfp") != nil, !keystores.isEmpty { return [singleKey(root, keystores, name, work)] }
    return wallet(root, name, work).map { [$0] }
  }

  private static func wallet(
    _ root: JSONValue, _ name: String, _ work: WorkBudget
  ) -> CoordinatedWallet? {
    if root.member("extendedPublicKeys")?.kind == .array { return caravan(root, name, work) }
    if root.member("recv_descriptor")?.string != nil { return specterDesktop(root, name, work) }
    guard let descriptor = root.member("descriptor")?.string else { return nil }
    var wallet = CoordinatedWallet(name: named(root, ["label", "name"], name), work: work)
    // Some place the checksum's sign before a step, which a web page would treat as a link.
    wallet.add(descriptor: descriptor)
    return wallet
  }

  private static func named(_ root: JSONValue, _ members: [String], _ name: String) -> String {
    members.lazy.compactMap { root.member($0)?.string }.first { !$0.isEmpty } ?? name
  }

  private static func caravan(
    _ root: JSONValue, _ name: String, _ work: WorkBudget
  ) -> CoordinatedWallet {
    var wallet = CoordinatedWallet(name: named(root, ["name"], name), work: work)
    wallet.network = root.member("network")?.string ?? ""
    let quorum = root.member("quorum")
    func number(_ name: String) -> Int? { quorum?.member(name)?.number.flatMap { Int($0) } }
    let listed = root.member("extendedPublicKeys").map { Array($0.children.prefix(keyLimit)) } ?? []
    var keys: [(fingerprint: String, path: String, key: String)] = []
    for key in listed {
      func text(_ name: String) -> String { key.member(name)?.string ?? "" }
      keys.append((text("xfp"), text("bip32Path"), text("xpub")))
    }
    let required = number("requiredSigners") ?? 0
    let format = root.member("addressType")?.string ?? ""
    wallet.add(required: required, of: number("totalSigners"), format: format, keys: keys)
    return wallet
  }

  private static func specterDesktop(
    _ root: JSONValue, _ name: String, _ work: WorkBudget
  ) -> CoordinatedWallet {
    var wallet = CoordinatedWallet(
      name: named(root, ["name", "alias"], name).replacing("+", with: " "), work: work)
    for member in ["recv_descriptor", "change_descriptor"] {
      if let text = root.member(member)?.string { wallet.add(descriptor: text) }
    }
    for (branch, member, place) in [(0, "address", "address_index"), (1, "change_address", "change_index")] {
      guard let address = root.member(member)?.string, !address.isEmpty else { continue }
      let index = root.member(place)?.number.flatMap { UInt32($0) } ?? 0
      wallet.stated.append(.init(text: address, branch: branch, index: index))
    }
    for label in root.member("labels").map({ Array($0.children) }) ?? [] {
      let text = label.name.replacing("+", with: " ")
      for address in label.children.compactMap(\.string) where wallet.labels.count < labelLimit {
        let object =
          "{\"type\":\"addr\",\"ref\":\(JSONText.quoted(address)),\"label\":\(JSONText.quoted(text))}"
        wallet.labels.append(("addr", address, object))
      }
    }
    return wallet
  }

  private static func liana(
    _ account: JSONValue, of root: JSONValue, _ name: String, _ work: WorkBudget
  ) -> CoordinatedWallet {
    let own = named(account, ["name"], name)
    var wallet = CoordinatedWallet(name: named(root, ["alias", "name"], own), work: work)
    wallet.network = root.member("network")?.string ?? ""
    wallet.created = account.member("timestamp")?.number.flatMap { UInt64($0) }
    if let descriptor = account.member("descriptor")?.string {
      wallet.add(descriptor: descriptor)
      wallet.hasChecks = descriptor.contains("#")
    } else {
      wallet.note(.malformed)
    }
    if let scripts = LianaPolicy(wallet.texts.first ?? "") {
      wallet.note(addresses: account, scripts)
    }
    for label in account.member("labels").map({ Array($0.children) }) ?? []
    where wallet.labels.count < labelLimit {
      guard let type = label.member("type")?.string, let reference = label.member("ref")?.string else {
        continue
      }
      wallet.labels.append((type, reference, label.source))
    }
    return wallet
  }

  /// Parses the single-key export of Coldcard and compatible devices: an account with its first address per
  /// type.
  private static func singleKey(
    _ root: JSONValue, _ accounts: [JSONValue], _ name: String, _ work: WorkBudget
  ) -> CoordinatedWallet {
    let fingerprint = root.member("xfp")?.string ?? ""
    var wallet = CoordinatedWallet(name: fingerprint.isEmpty ? name : fingerprint, work: work)
    for account in accounts {
      guard let key = account.member("xpub")?.string, let path = account.member("deriv")?.string else {
        wallet.note(.malformed)
        continue
      }
      let text = "[\(fingerprint.lowercased())\(path.dropFirst())]\(key)/0/*"
      switch account.name {
      case "bip44": wallet.add(descriptor: "pkh(\(text))")
      case "bip49": wallet.add(descriptor: "sh(wpkh(\(text)))")
      case "bip84": wallet.add(descriptor: "wpkh(\(text))")
      default: wallet.add(descriptor: "tr(\(text))")
      }
      guard let first = account.member("first")?.string else { continue }
      wallet.stated.append(.init(text: first, branch: wallet.texts.count - 1, index: 0))
    }
    return wallet
  }
}
