internal import FuekiSources
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

/// Coordinators' text files: BSMS, Coldcard's format, and output descriptors.
enum CoordinatorTexts {
  private static let lineLimit = 4096
  private static let keyLimit = 64

  /// Parses a text; nil if it is none of these.
  static func wallets(_ text: String, name: String, work: WorkBudget) -> [CoordinatedWallet]? {
    let lines = text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline).prefix(lineLimit)
      .map {
        String($0).trimmed
      }
    if lines.first?.hasPrefix("BSMS 1") == true { return [bsms(lines, name, work)] }
    if lines.contains(where: { $0.hasPrefix("Policy:") }) { return [coldcard(lines, name, work)] }
    return descriptors(lines, name, work)
  }

  /// Parses BIP-129: version, descriptor with `/**` for the paths, paths, first address.
  private static func bsms(
    _ lines: [String], _ name: String, _ work: WorkBudget
  ) -> CoordinatedWallet {
    var wallet = CoordinatedWallet(name: name, work: work)
    guard lines.count >= 2, lines[1].contains("(") else {
      // A signer's message before the wallet exists: one key.
      wallet.note(.malformed)
      return wallet
    }
    let restrictions = lines.count > 2 ? lines[2] : ""
    var paths = restrictions.split(separator: ",").map { String($0).trimmed }.filter { $0.hasPrefix("/") }
    if paths.isEmpty { paths = ["/0/*", "/1/*"] }
    let template = lines[1]
    if template.contains("/**") {
      // A checksum, if present, is for the template.
      let bytes = Array(template.utf8)
      if let outline = DescriptorOutline(bytes.span), !outline.isWhole(bytes.span) { wallet.note(.checksum) }
      let expression = String(template.prefix { $0 != "#" })
      for path in paths.prefix(8) {
        guard let descriptor = self.descriptor(expression, path) else {
          wallet.note(.malformed)
          continue
        }
        wallet.add(descriptor: descriptor)
      }
    } else {
      wallet.add(descriptor: template)
    }
    let address = lines.count > 3 ? lines[3] : ""
    if !address.isEmpty { wallet.stated = [.init(text: address, branch: 0, index: 0)] }
    wallet.hasChecks = false
    return wallet
  }

  /// Returns a template with a path in place of each `/**`; nil if the result is longer than a descriptor.
  private static func descriptor(_ template: String, _ path: String) -> String? {
    let limit = Descriptor.characterCountLimit
    guard template.utf8.count <= limit, path.utf8.count <= limit else { return nil }
    let places = template.split(separator: "/**", omittingEmptySubsequences: false).count - 1
    guard template.utf8.count + places * path.utf8.count <= limit else { return nil }
    return template.replacing("/**", with: path)
  }

  /// Parses `Name`, `Policy`, `Derivation` before each key or before all, `Format`, and a line for each key.
  private static func coldcard(
    _ lines: [String], _ name: String, _ work: WorkBudget
  ) -> CoordinatedWallet {
    var wallet = CoordinatedWallet(name: name, work: work)
    var (required, total): (Int, Int?) = (0, nil)
    var path = ""
    var format = ""
    var keys: [(fingerprint: String, path: String, key: String)] = []
    for line in lines.map(withoutRemark) {
      guard let colon = line.firstIndex(of: ":") else { continue }
      let value = String(line[line.index(after: colon)...]).trimmed
      switch line[..<colon].lowercased() {
      case "name": if !value.isEmpty { wallet.name = value }
      case "policy":
        let numbers = value.split { !$0.isNumber }.compactMap { Int($0) }
        (required, total) = (numbers.first ?? 0, numbers.count > 1 ? numbers[1] : nil)
      case "derivation": path = value
      case "format": format = value
      case let fingerprint where fingerprint.utf8.count == 8 && keys.count < keyLimit:
        keys.append((String(fingerprint), path, value))
      default: continue
      }
    }
    wallet.add(required: required, of: total, format: format, keys: keys)
    return wallet
  }

  /// Returns a line up to a comment, by Coldcard's rule: in a name, the comment sign may precede a number.
  private static func withoutRemark(_ line: String) -> String {
    guard let mark = line.firstIndex(of: "#") else { return line }
    let isName = mark > line.startIndex && line[line.index(after: mark)...].first?.isNumber == true
    return isName ? line : String(line[..<mark]).trimmed
  }

  /// Parses descriptors, one per line or one over several lines; nil if a line is neither a descriptor nor a
  /// comment.
  private static func descriptors(
    _ lines: [String], _ name: String, _ work: WorkBudget
  ) -> [CoordinatedWallet]? {
    let texts = lines.filter { !$0.isEmpty && !$0.hasPrefix("#") }
    guard !texts.isEmpty else { return nil }
    guard texts.allSatisfy(isDescriptor) else {
      return spread(texts, name, work) ?? command(texts, name, work)
    }
    var wallet = CoordinatedWallet(name: name, work: work)
    for text in texts { wallet.add(descriptor: text) }
    wallet.hasChecks = texts.allSatisfy { $0.contains("#") }
    return [wallet]
  }

  /// Parses a descriptor with one argument per line, as Coldcard writes it for people.
  private static func spread(
    _ texts: [String], _ name: String, _ work: WorkBudget
  ) -> [CoordinatedWallet]? {
    let text = texts.joined().filter { !$0.isWhitespace }
    guard isDescriptor(text), DescriptorOutline(Array(text.utf8).span) != nil else { return nil }
    return descriptors([text], name, work)
  }

  /// Parses Coldcard's command for Bitcoin Core's console, with a list of descriptors.
  private static func command(
    _ texts: [String], _ name: String, _ work: WorkBudget
  ) -> [CoordinatedWallet]? {
    var wallet = CoordinatedWallet(name: name, work: work)
    wallet.hasChecks = false
    for text in texts where text.hasPrefix(importing) {
      guard let start = text.firstIndex(of: "["), let end = text.lastIndex(of: "]") else { continue }
      let list = Array(text[start...end].utf8)
      guard let root = try? JSONDocument(list, limit: list.count).root else { continue }
      let descriptors = root.children.prefix(keyLimit).compactMap { $0.member("desc")?.string }
      for descriptor in descriptors { wallet.add(descriptor: descriptor) }
      wallet.hasChecks = !descriptors.isEmpty && descriptors.allSatisfy { $0.contains("#") }
    }
    return wallet.texts.isEmpty && wallet.fault == nil ? nil : [wallet]
  }

  static let importing = "importdescriptors "
  static let beginnings = ["wsh(", "sh(", "wpkh(", "pkh(", "tr(", "combo(", "multi(", "sortedmulti("]

  private static func isDescriptor(_ text: String) -> Bool { beginnings.contains(where: text.hasPrefix) }
}

extension String {
  /// The text without surrounding white space.
  var trimmed: String {
    let isBlank: (Character) -> Bool = { $0 == " " || $0 == "\t" || $0 == "\u{FEFF}" }
    guard let last = lastIndex(where: { !isBlank($0) }) else { return "" }
    return String(self[...last].drop(while: isBlank))
  }
}
