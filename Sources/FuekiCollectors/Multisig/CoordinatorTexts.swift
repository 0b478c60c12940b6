internal import FuekiBackup
internal import FuekiWallet

/// Coordinators' files that are lines of text: BSMS, what Coldcard began, and output descriptors.
enum CoordinatorTexts {
  private static let lineLimit = 4096
  private static let keyLimit = 64

  /// Reads a text; nil where it is none of these.
  static func wallets(_ text: String, name: String) -> [CoordinatedWallet]? {
    let lines = text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline).prefix(lineLimit)
      .map {
        String($0).trimmed
      }
    if lines.first?.hasPrefix("BSMS 1") == true { return [bsms(lines, name)] }
    if lines.contains(where: { $0.hasPrefix("Policy:") }) { return [coldcard(lines, name)] }
    return descriptors(lines, name)
  }

  /// BIP-129: version, descriptor with `/**` for the paths, paths, first address.
  private static func bsms(_ lines: [String], _ name: String) -> CoordinatedWallet {
    var wallet = CoordinatedWallet(name: name)
    guard lines.count >= 2, lines[1].contains("(") else {
      // What a signer sends before there is a wallet: one key.
      wallet.note(.malformed)
      return wallet
    }
    let restrictions = lines.count > 2 ? lines[2] : ""
    var paths = restrictions.split(separator: ",").map { String($0).trimmed }.filter { $0.hasPrefix("/") }
    if paths.isEmpty { paths = ["/0/*", "/1/*"] }
    let template = lines[1]
    if template.contains("/**") {
      // The checksum, where there is one, is of the template.
      let bytes = Array(template.utf8)
      if let outline = DescriptorOutline(bytes.span), !outline.isWhole(bytes.span) { wallet.note(.checksum) }
      let expression = String(template.split(separator: "#")[0])
      for path in paths.prefix(8) { wallet.add(descriptor: expression.replacing("/**", with: path)) }
    } else {
      wallet.add(descriptor: template)
    }
    let address = lines.count > 3 ? lines[3] : ""
    if !address.isEmpty { wallet.stated = [.init(text: address, branch: 0, index: 0)] }
    wallet.hasChecks = false
    return wallet
  }

  /// `Name`, `Policy`, `Derivation` before one key or before all, `Format`, and a line for each key.
  private static func coldcard(_ lines: [String], _ name: String) -> CoordinatedWallet {
    var wallet = CoordinatedWallet(name: name)
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

  /// A line up to a remark in it, as Coldcard reads it: a name may have a number behind that mark.
  private static func withoutRemark(_ line: String) -> String {
    guard let mark = line.firstIndex(of: "#") else { return line }
    let isName = mark > line.startIndex && line[line.index(after: mark)...].first?.isNumber == true
    return isName ? line : String(line[..<mark]).trimmed
  }

  /// Descriptors, one a line, or one over several; nil where a line is none, and no remark either.
  private static func descriptors(_ lines: [String], _ name: String) -> [CoordinatedWallet]? {
    let texts = lines.filter { !$0.isEmpty && !$0.hasPrefix("#") }
    guard !texts.isEmpty else { return nil }
    guard texts.allSatisfy(isDescriptor) else { return spread(texts, name) ?? command(texts, name) }
    var wallet = CoordinatedWallet(name: name)
    for text in texts { wallet.add(descriptor: text) }
    wallet.hasChecks = texts.allSatisfy { $0.contains("#") }
    return [wallet]
  }

  /// One descriptor whose arguments have lines of their own, as Coldcard writes it for people.
  private static func spread(_ texts: [String], _ name: String) -> [CoordinatedWallet]? {
    let text = texts.joined().filter { !$0.isWhitespace }
    guard isDescriptor(text), DescriptorOutline(Array(text.utf8).span) != nil else { return nil }
    return descriptors([text], name)
  }

  /// The command for Bitcoin Core's console that Coldcard writes, with a list of descriptors in it.
  private static func command(_ texts: [String], _ name: String) -> [CoordinatedWallet]? {
    var wallet = CoordinatedWallet(name: name)
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
  /// Without blanks at both ends.
  var trimmed: String {
    let isBlank: (Character) -> Bool = { $0 == " " || $0 == "\t" || $0 == "\u{FEFF}" }
    guard let last = lastIndex(where: { !isBlank($0) }) else { return "" }
    return String(self[...last].drop(while: isBlank))
  }
}
