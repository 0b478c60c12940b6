internal import FuekiArchive
public import FuekiSystem
public import FuekiWallet

/// One thing of worth in an archive: a wallet, a key or an original file, which must not go missing unnoticed.
public struct Holding: Codable, Hashable, Sendable {
  /// The kind of thing.
  public enum Kind: String, Codable, Sendable {
    case wallet
    /// A key share, a private key or a seed phrase.
    case key
    /// A file of another program.
    case file
    /// Several things of an archive, of which a manifest has only the number.
    case more
  }

  /// Identifies a thing in every archive of a vault.
  struct Key: Hashable {
    let kind: Kind
    let id: String
  }

  /// The kind of thing.
  public let kind: Kind
  /// Identifies the thing among those of its kind, in hex; it reveals no address and no key.
  public let id: String
  /// The name that people know it by; a file's is its place.
  public let name: ExactText
  /// The id of the section that the thing is in.
  let section: UInt16
  /// Tells the key of a wallet's file from any other key, in hex; nil for other things, and if the key is unknown.
  ///
  /// Another wallet in the file's place is the same file, and not the same money.
  var fileKey: String?
  /// Whether a wallet's file only shows balances; nil if it is not known, and for other things.
  var isWatchOnly: Bool?
  /// True if the archive has another file of its place, too: a restored store keeps both versions.
  var hasTwin: Bool?
  /// Tells the bytes of a file, and of its database's other files, from any others, in hex; nil for other things.
  var content: String?

  var key: Key { Key(kind: kind, id: id) }

  /// The machine that has it, by the key that signs its archives, in hex; nil for this machine.
  ///
  /// Each machine has a file of its own in one place. ``anybody`` if it is unknown.
  var maker: String?

  /// Whose a thing is if it is unknown.
  static let anybody = ""
  /// Whose a thing of an unsigned archive is: any machine's without a key.
  static let nobody = "nobody"

  /// The replacement that takes most room in a manifest, of those that a later archive can show.
  var longestReplacement: Absence.Replacement? { kind == .file ? .contents : nil }

  /// A file's original place; nil for other things, without a place, and if the name may be cut.
  var place: ExactText? {
    guard kind == .file, name.hasPrefix("~/") || name.hasPrefix("/"), name.text.count < Self.nameLimit else {
      return nil
    }
    return name
  }

  /// The kind and the name, for people.
  public var title: String { kind == .more ? name.text : "\(kind.rawValue) \(name)" }
  /// Whether the thing is in the secrets' scope.
  var isSecret: Bool { Section(rawValue: section)?.scope == .secrets }
}

extension Holding {
  /// How like the thing in its place a thing is.
  enum Likeness {
    /// A wallet and a key are told by what they are, a file by its key or its bytes.
    case same
    /// Another wallet is in its place: its key is another, or it cannot spend any more.
    case otherKey
    /// A file with other bytes, and no key that tells.
    case other
    /// Two files of which neither bytes nor key are known: they are too short to be told apart.
    case unknown
  }

  /// Compares a thing with the one in its place in another archive.
  func likeness(to other: Holding) -> Likeness {
    if isReplaced(by: other) { return .otherKey }
    if kind != .file || hasContent(of: other) || hasKey(of: other) { return .same }
    return content == nil && other.content == nil ? .unknown : .other
  }

  /// Whether another wallet is in the place of this one: its key is known to be another, or it cannot spend any more.
  private func isReplaced(by other: Holding) -> Bool {
    if isWatchOnly == false, other.isWatchOnly == true { return true }
    guard let fileKey, let key = other.fileKey, KeyMark.areComparable(fileKey, key) else { return false }
    return fileKey != key
  }

  /// Whether another file has the same bytes.
  func hasContent(of other: Holding) -> Bool { content != nil && content == other.content }

  /// Whether another file is known to have the same key, and can do as much with it.
  func hasKey(of other: Holding) -> Bool {
    fileKey != nil && fileKey == other.fileKey && !isReplaced(by: other)
  }

  /// Whether another thing is the same, or a file too short to be told from it.
  private func isAlike(_ other: Holding) -> Bool {
    kind != .file || hasContent(of: other) || likeness(to: other) == .unknown
  }

  /// The same thing, of another machine.
  func of(_ maker: String?) -> Holding {
    var holding = self
    holding.maker = maker
    return holding
  }

  /// The same, with what is known of its earlier version.
  ///
  /// A key that is unknown tonight, for lack of a password, is taken for the last one known of the same machine's file.
  /// What this machine had is its own where another machine has the same, for a file the same bytes.
  ///
  /// - Parameters:
  ///   - earlier: what was in its place in the archive before.
  ///   - own: this machine's last thing in its place, if the archive before does not have it.
  /// - Returns: the thing.
  func continuing(_ earlier: Holding?, own: Holding?) -> Holding {
    let versions = [earlier, own].compactMap(\.self)
    guard
      let last = versions.first(where: {
        $0.maker == nil && isAlike($0) || $0.maker == maker && earlier != nil
      })
    else { return self }
    var holding = of(last.maker)
    holding.fileKey = fileKey ?? last.fileKey
    holding.isWatchOnly = isWatchOnly ?? last.isWatchOnly
    return holding
  }
}

extension Holding {
  private static let itemIDCount = 32

  /// The text that chooses the thing: its section's name and its id.
  public var item: String { "\(Section(rawValue: section)?.name ?? "section-\(section)"):\(id)" }

  /// Whether a text chooses a thing: a name of a section that has some, and an id.
  public static func isItem(_ text: String) -> Bool { section(ofItem: text) != nil }

  /// The section of the thing that a text chooses; nil if it chooses none.
  static func section(ofItem text: String) -> Section? {
    let parts = text.split(separator: ":", omittingEmptySubsequences: false)
    guard parts.count == 2, parts[1].count == itemIDCount, parts[1].allSatisfy(\.isHexDigit),
      let section = Section(name: String(parts[0]))
    else { return nil }
    switch section {
    case .wallets, .keyShares, .privateKeys, .files, .secretFiles: return section
    default: return nil
    }
  }

  /// Whether the thing that a text chooses is in the secrets' scope.
  static func isSecret(_ item: String) -> Bool { section(ofItem: item)?.scope == .secrets }

  /// The sections that have a part of the things which texts choose.
  public static func sections(ofItems items: [String]) -> Set<Section> {
    var sections: Set<Section> = []
    for section in items.compactMap(section(ofItem:)) {
      sections.insert(section)
      switch section {
      case .wallets: sections.formUnion([.assets, .transactions, .receipts])
      case .keyShares: sections.insert(.keyShareDescriptors)
      default: break
      }
    }
    return sections
  }
}

extension Holding {
  private static let nameLimit = 300

  /// Makes a thing of the parts that together tell it from all others of its kind; a name is cut to 300 characters.
  init(_ kind: Kind, identity: [[UInt8]], name: String, in section: Section) {
    let counted = identity.map { Array("\($0.count)\0".utf8) + $0 }
    self.init(
      kind: kind, id: ShortDigest.hex("holding\0\(kind.rawValue)", counted),
      name: ExactText(String(name.prefix(Self.nameLimit))), section: section.rawValue)
  }

  /// Several things that only one archive has, and that a manifest has no room for.
  static func more(_ count: Int, in archive: VaultState.Link) -> Holding {
    Holding(
      .more, identity: [Array(archive.digest.utf8), Array("\(count)".utf8)], name: "\(count) more things",
      in: .manifest)
  }

  /// A wallet, by its record's id.
  static func wallet(id: [UInt8], name: String) -> Holding {
    Holding(.wallet, identity: [id], name: name.isEmpty ? "without a name" : name, in: .wallets)
  }

  /// A key share, by its group's key and its party: a refreshed share replaces the one before.
  static func share(_ descriptor: KeyShareDescriptor) -> Holding {
    let party =
      descriptor.partyID.isEmpty
      ? Array("\(descriptor.hasPartyIndex ? Int(descriptor.partyIndex) : -1)".utf8)
      : [UInt8](descriptor.partyID)
    let isOfGroup =
      !descriptor.groupPublicKey.isEmpty && (!descriptor.partyID.isEmpty || descriptor.hasPartyIndex)
    let identity = isOfGroup ? [[UInt8](descriptor.groupPublicKey), party] : [[UInt8](descriptor.id)]
    return Holding(
      .key, identity: identity, name: descriptor.name.isEmpty ? "key share" : descriptor.name, in: .keyShares)
  }

  /// A private key or a seed phrase, by its record's id.
  static func privateKey(id: [UInt8], name: String, kind: String) -> Holding {
    Holding(.key, identity: [id], name: name.isEmpty ? kind : name, in: .privateKeys)
  }

  /// An original file, by its program and place; without a place by its source's kind and its path below that.
  static func file(
    source: String, path: [UInt8], place: [UInt8]?, program: String, in section: Section
  ) -> Holding {
    let identity = place.map { [Array(program.utf8), $0] } ?? [Array(source.utf8), path, []]
    return Holding(
      .file, identity: identity, name: PathText.text(place ?? path), in: section)
  }

  /// Returns a file's key, told by an address or a public key that a finding names.
  static func fileKey(kind: String, detail: String) -> String? {
    guard detail.utf8.count >= shortestKey, detail.allSatisfy({ $0.isASCII && ($0.isLetter || $0.isNumber) })
    else { return nil }
    return ShortDigest.hex("file key\0\(kind)", [Array(detail.utf8)])
  }

  /// The length of the shortest addresses; counts and fingerprints are shorter.
  private static let shortestKey = 25
}

/// The salt of an encrypted wallet's file that shows no key.
///
/// Its program keeps the salt when it saves the wallet or changes the password, and draws one for each new wallet. So
/// another salt tells of another wallet. The same salt proves nothing.
enum KeyMark {
  private static let sparrow = "sparrow-wallet"
  private static let prefix = "salt-"
  private static let saltCount = 16

  /// Returns the mark of a file.
  ///
  /// - Parameters:
  ///   - format: the format that the collector recognized.
  ///   - beginning: the file's first bytes.
  /// - Returns: nil if the file has none.
  static func mark(format: String, _ beginning: Span<UInt8>) -> String? {
    guard format == sparrow else { return nil }
    // A database of H2 with its own salt, which changes with the password, or an earlier version's text in Base64.
    if let salt = salt(in: beginning, after: "H2encrypt\n", skipping: 8, then: "SPRW1\n") {
      return mark("database", salt)
    }
    return salt(in: beginning, after: "U1BSVz", skipping: 0, then: "").map { mark("text", $0) }
  }

  /// Whether two keys, or two marks of one form, tell by their difference that the wallets differ.
  ///
  /// A wallet that was encrypted since, or whose address is shown tonight and was not before, may be the same.
  static func areComparable(_ first: String, _ second: String) -> Bool { form(of: first) == form(of: second) }

  private static func form(of key: String) -> Substring {
    key.hasPrefix(prefix) ? key.prefix { $0 != ":" } : ""
  }

  private static func mark(_ form: String, _ salt: [UInt8]) -> String {
    "\(prefix)\(form):" + ShortDigest.hex("salt", [salt])
  }

  private static func salt(
    in bytes: Span<UInt8>, after first: String, skipping gap: Int, then second: String
  ) -> [UInt8]? {
    let (first, second) = (Array(first.utf8), Array(second.utf8))
    let start = first.count + gap + second.count
    guard bytes.count >= start + saltCount, has(first, at: 0, bytes),
      has(second, at: first.count + gap, bytes)
    else { return nil }
    return bytes.extracting(start..<start + saltCount).copied()
  }

  private static func has(_ text: [UInt8], at place: Int, _ bytes: Span<UInt8>) -> Bool {
    text.indices.allSatisfy { bytes[place + $0] == text[$0] }
  }
}
