internal import FuekiBackup
internal import FuekiWallet

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
