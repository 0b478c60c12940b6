internal import FuekiCrypto
internal import FuekiSystem
internal import FuekiWallet

/// Notes the things of worth while their records go into an archive, so that no archive is opened for it.
final class HoldingCount: Sendable {
  private struct Counted {
    var holdings: [Holding.Key: Holding] = [:]
    /// The names by which findings refer to a file, by the file's key.
    var findingNames: [Holding.Key: Set<FindingName>] = [:]
    /// The places of the files, or their paths below a source without a place.
    var paths: [Holding.Key: [UInt8]] = [:]
    /// The places below a home.
    ///
    /// Files of one place are one: only the newest goes back.
    var homePlaces: Set<[UInt8]> = []
    /// The place of each file, if it has one, and its path below the source.
    var filePlaces: [Holding.Key: (place: [UInt8]?, path: [UInt8])] = [:]
    /// The files without content.
    var hollow: Set<Holding.Key> = []
    /// The salts that tell files which show no key apart.
    var marks: [Holding.Key: String] = [:]
    /// The files' contents, and whose they are.
    var contents = FileContents()
    var originals: [Holding.Key: OriginalFile.Key] = [:]
    /// The files whose place has another one, too.
    var twins: [Holding.Key: Set<OriginalFile.Key>] = [:]

    /// Whether a place has several files that differ; two sources may also bring one file twice.
    func hasTwin(_ key: Holding.Key) -> Bool {
      Set((twins[key] ?? []).compactMap { contents[$0]?.digest }).count > 1
    }

    /// The things but for files that come and go with a database next to them.
    var own: [Holding] {
      let all = Set(paths.values)
      let folders = Set(all.compactMap(PassingFiles.ownFolder))
      return holdings.values.filter { holding in
        paths[holding.key].map { !PassingFiles.belongs($0, among: all, in: folders) } ?? true
      }
    }

    /// The only finding of each file that findings name; none of a file whose name another file has too.
    func findings(_ findings: [WalletFinding]) -> [Holding.Key: WalletFinding] {
      let files = Dictionary(
        grouping: findingNames.flatMap { key, names in names.map { ($0, key) } }, by: \.0)
      let named = Dictionary(grouping: findings) { FindingName($0) }
      var single: [Holding.Key: WalletFinding] = [:]
      for (name, found) in named where found.count == 1 {
        guard let files = files[name], files.count == 1 else { continue }
        single[files[0].1] = found[0]
      }
      return single
    }

    /// Returns what tells each file's bytes from any others: its own, and those of the other files of its database.
    ///
    /// A file such as `CURRENT` is the same in many databases.
    func contentNames() -> [Holding.Key: String] {
      let all = originals.compactMap { key, original in contents[original].map { (key: key, content: $0) } }
      let owners = PassingFiles.owners(of: all.map { paths[$0.key] ?? [] })
      let units = Dictionary(grouping: all.indices) { owners[$0] }
        .mapValues { places in places.map { all[$0].content } }
      var names: [Holding.Key: String] = [:]
      for place in all.indices {
        let unit = units[owners[place]] ?? []
        guard unit.reduce(0, { $0 + $1.byteCount }) >= FileContents.leastByteCount else { continue }
        let others = unit.map(\.digest.hex).sorted().map { Array($0.utf8) }
        names[all[place].key] = ShortDigest.hex(
          "file content", [all[place].content.digest.bytes] + others)
      }
      return names
    }
  }

  private struct FindingName: Hashable {
    let kind: String
    let name: ExactText

    init(kind: String, name: ExactText) { (self.kind, self.name) = (kind, name) }

    init(_ finding: WalletFinding) { self.init(kind: finding.kind, name: ExactText(finding.name)) }
  }

  private static let home = Array("~/".utf8)
  private static let fileKind = "file"

  private let counted = Locked(Counted())

  /// How many files can go back below a home.
  var placedFileCount: UInt64 { counted.withLock { UInt64($0.homePlaces.count) } }

  /// The place of each file, and its path below its source.
  var filePlaces: [(place: [UInt8]?, path: [UInt8])] { counted.withLock { Array($0.filePlaces.values) } }

  /// The things so far.
  ///
  /// - Parameter findings: the worth of each wallet's backup; a file that is faulty is not whole.
  /// - Returns: all of them, and those that are whole.
  func holdings(_ findings: [WalletFinding]) -> CountedHoldings {
    let faulty = Set(findings.filter(\.isFaulty).map { FindingName($0) })
    let counted = counted.withLock { $0 }
    let all = counted.own
    let wallets = Set(all.filter { $0.kind == .wallet }.map(\.name))
    let (named, contents) = (counted.findings(findings), counted.contentNames())
    let whole = all.filter { holding in
      !counted.hollow.contains(holding.key)
        && counted.findingNames[holding.key]?.isDisjoint(with: faulty) ?? true
    }.map { holding in
      var holding = holding
      let finding = named[holding.key]
      // A wallet that is a thing of its own has its key in its id.
      let shown = finding.flatMap { wallets.contains(ExactText($0.name)) ? nil : $0 }
      holding.fileKey =
        shown.flatMap { Holding.fileKey(kind: $0.kind, detail: $0.detail) } ?? counted.marks[holding.key]
      holding.isWatchOnly = finding?.result.isWatchOnly
      holding.content = contents[holding.key]
      holding.hasTwin = counted.hasTwin(holding.key) ? true : nil
      return holding
    }
    return CountedHoldings(
      all: all, whole: whole.sorted { ($0.name, $0.id) < ($1.name, $1.id) })
  }

  /// Notes the things in framed records of a section; a record that cannot be read is passed over.
  func note(_ records: Span<UInt8>, of section: Section) {
    guard [.wallets, .files, .secretFiles, .privateKeys].contains(section) else { return }
    try? RecordFraming.forEachRecord(in: records) { (message) throws(WireError) in
      try note(message: message, of: section)
    }
  }

  /// Notes the thing in one message of a section.
  func note(message: Span<UInt8>, of section: Section) throws(WireError) {
    switch section {
    case .wallets: note(try Self.wallet(message))
    case .privateKeys: if let key = try Self.privateKey(message) { note(key) }
    case .files, .secretFiles: try noteFile(message, section)
    default: break
    }
  }

  /// Notes a thing.
  func note(_ holding: Holding) { counted.withLock { $0.holdings[holding.key] = holding } }

  /// Notes a part of an original file.
  ///
  /// The first part has the place and the program.
  ///
  /// A file that a source of the kind `file` takes whatever is in it is not whole if it is empty or has zeros only: a power
  /// cut or a full disk leaves such files, and no parser notices.
  func note(_ part: OriginalPart, _ content: Span<UInt8>) {
    let digest = SHA256.hash(content)
    counted.withLock { $0.contents.add(digest, of: content, at: part.offset, of: part.key) }
    guard part.offset == 0 else { return }
    note(
      part.file, isHollow: content.isZero, mark: KeyMark.mark(format: part.file.format, content))
  }

  private func note(_ file: OriginalFile, isHollow: Bool, mark: String?) {
    let (source, path, place) = (file.source, file.path, file.place)
    let holding = Holding.file(
      source: source, path: path, place: place, program: file.program, in: file.section)
    let last = path.split(separator: UInt8(ascii: "/")).last.map(Array.init) ?? path
    let names = [path, last].map {
      FindingName(kind: source, name: ExactText(String(decoding: $0, as: UTF8.self)))
    }
    counted.withLock { counted in
      counted.holdings[holding.key] = holding
      counted.marks[holding.key] = mark
      if let other = counted.originals.updateValue(file.key, forKey: holding.key), other != file.key {
        counted.twins[holding.key, default: []].formUnion([other, file.key])
      }
      counted.findingNames[holding.key, default: []].formUnion(names)
      if isHollow, source == Self.fileKind { counted.hollow.insert(holding.key) }
      counted.paths[holding.key] = place ?? path
      counted.filePlaces[holding.key] = (place, path)
      if let place, place.starts(with: Self.home) { counted.homePlaces.insert(place) }
    }
  }

  private static func wallet(_ message: Span<UInt8>) throws(WireError) -> Holding {
    var (id, name): ([UInt8], String) = ([], "")
    var reader = WireReader()
    while let field = try reader.next(in: message) {
      switch field.number {
      case 1: id = try field.bytes(in: message)
      case 2: name = try field.text(in: message)
      default: break
      }
    }
    return .wallet(id: id, name: name)
  }

  /// A key by its fields but the secret; nil for a server's key, which is no wallet's.
  private static func privateKey(_ message: Span<UInt8>) throws(WireError) -> Holding? {
    var (id, kind, name): ([UInt8], String, String) = ([], "", "")
    var reader = WireReader()
    while let field = try reader.next(in: message) {
      switch field.number {
      case 1: id = try field.bytes(in: message)
      case 3: kind = try field.text(in: message)
      case 4: name = try field.text(in: message)
      default: break
      }
    }
    return kind == PrivateKeyRecord.endpointKey ? nil : .privateKey(id: id, name: name, kind: kind)
  }

  private func noteFile(_ message: Span<UInt8>, _ section: Section) throws(WireError) {
    var id: [UInt8] = []
    var (source, program, format) = ("", "", "")
    var path: [UInt8] = []
    var offset: UInt64 = 0
    var place: [UInt8]?
    var content = 0..<0
    var reader = WireReader()
    while let field = try reader.next(in: message) {
      switch field.number {
      case 1: id = try field.bytes(in: message)
      case 2: source = try field.text(in: message)
      case 3: path = try field.bytes(in: message)
      case 4: offset = try field.varint()
      case 6: content = try field.content()
      case 9: format = try field.text(in: message)
      case 16: place = try field.bytes(in: message)
      case 17: program = try field.text(in: message)
      default: break
      }
    }
    let key = OriginalFile.Key(section: section, id: id, source: source, path: path)
    let file = OriginalFile(key, place: place, program: program, format: format)
    note(OriginalPart(key: key, offset: offset, file: file), message.extracting(content))
  }
}

extension WalletFinding.Result {
  /// Whether the wallet only shows balances; nil if it is not known.
  fileprivate var isWatchOnly: Bool? {
    switch self {
    case .proved: false
    case .publicPart: true
    case .notProved, .withoutSeed, .faulty: nil
    }
  }
}

extension Span<UInt8> {
  /// Whether no byte is other than zero.
  var isZero: Bool { indices.allSatisfy { self[$0] == 0 } }
}

/// The things of worth in one archive.
struct CountedHoldings: Sendable {
  /// All of them, in no order.
  let all: [Holding]
  /// Those that are whole, by name.
  let whole: [Holding]
}

/// Digests of the contents of original files, whose parts come in any order.
///
/// They recognize a file in another place.
struct FileContents {
  /// The digest of a file's content.
  struct Content {
    let digest: Digest
    /// The number of stored bytes; zero if all of them are zeros.
    let byteCount: Int
  }

  /// No wallet's key is shorter.
  ///
  /// A shorter file may be a setting that many files share, or a password, of which a stored digest would tell.
  static let leastByteCount = 32

  private var parts: [OriginalFile.Key: [UInt64: Content]] = [:]

  /// Adds a part of a file.
  ///
  /// - Parameters:
  ///   - digest: of the part's content.
  ///   - content: the part's content.
  ///   - offset: where the part begins in the file.
  ///   - file: the file.
  mutating func add(_ digest: Digest, of content: Span<UInt8>, at offset: UInt64, of file: OriginalFile.Key) {
    parts[file, default: [:]][offset] = Content(
      digest: digest, byteCount: content.isZero ? 0 : content.count)
  }

  /// Returns the content of a file.
  subscript(file: OriginalFile.Key) -> Content? {
    guard let parts = parts[file] else { return nil }
    var hash = SHA256()
    for (offset, part) in parts.sorted(by: { $0.key < $1.key }) {
      hash.update(Array("\(offset)\0".utf8) + Array(part.digest.bytes))
    }
    return Content(digest: hash.finalize(), byteCount: parts.values.reduce(0) { $0 + $1.byteCount })
  }
}
