internal import FuekiCrypto
internal import FuekiWallet
internal import Synchronization

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

    /// The things but for files that come and go with a database next to them.
    var own: [Holding] {
      let all = Set(paths.values)
      let folders = Set(all.compactMap(PassingFiles.ownFolder))
      return holdings.values.filter { holding in
        paths[holding.key].map { !PassingFiles.belongs($0, among: all, in: folders) } ?? true
      }
    }

    /// The keys of the files that findings name; none of a file whose wallet is a thing of its own, or whose name
    /// another file has too.
    func fileKeys(_ findings: [WalletFinding]) -> [Holding.Key: String] {
      let wallets = Set(holdings.values.filter { $0.kind == .wallet }.map(\.name))
      let files = Dictionary(
        grouping: findingNames.flatMap { key, names in names.map { ($0, key) } }, by: \.0)
      let named = Dictionary(grouping: findings) { FindingName(kind: $0.kind, name: $0.name) }
      var keys: [Holding.Key: String] = [:]
      for (name, found) in named where found.count == 1 && !wallets.contains(name.name) {
        guard let files = files[name], files.count == 1 else { continue }
        keys[files[0].1] = Holding.fileKey(kind: name.kind, detail: found[0].detail)
      }
      return keys
    }
  }

  private struct FindingName: Hashable {
    let kind: String
    let name: String
  }

  private static let home = Array("~/".utf8)
  private static let fileKind = "file"

  private let counted = Mutex(Counted())

  /// How many files can go back below a home.
  var placedFileCount: UInt64 { counted.withLock { UInt64($0.homePlaces.count) } }

  /// The place of each file, and its path below its source.
  var filePlaces: [(place: [UInt8]?, path: [UInt8])] { counted.withLock { Array($0.filePlaces.values) } }

  /// The things so far.
  ///
  /// - Parameter findings: the worth of each wallet's backup; a file that is faulty is not whole.
  /// - Returns: all of them, and those that are whole.
  func holdings(_ findings: [WalletFinding]) -> CountedHoldings {
    let faulty = Set(findings.filter(\.isFaulty).map { FindingName(kind: $0.kind, name: $0.name) })
    let counted = counted.withLock { $0 }
    let all = counted.own
    let keys = counted.fileKeys(findings)
    let whole = all.filter { holding in
      !counted.hollow.contains(holding.key)
        && counted.findingNames[holding.key]?.isDisjoint(with: faulty) ?? true
    }.map { holding in
      var holding = holding
      holding.fileKey = keys[holding.key]
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

  /// Notes an original file, by what its first part says.
  ///
  /// A file that a source of the kind `file` takes whatever is in it is not whole if it is empty or has zeros only: a power
  /// cut or a full disk leaves such files, and no parser notices.
  func note(
    file source: String, path: [UInt8], place: [UInt8]?, program: String, in section: Section,
    isHollow: Bool
  ) {
    let holding = Holding.file(source: source, path: path, place: place, program: program, in: section)
    let last = path.split(separator: UInt8(ascii: "/")).last.map(Array.init) ?? path
    let names = [path, last].map { FindingName(kind: source, name: String(decoding: $0, as: UTF8.self)) }
    counted.withLock { counted in
      counted.holdings[holding.key] = holding
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

  /// A file's place is in its first part.
  private func noteFile(_ message: Span<UInt8>, _ section: Section) throws(WireError) {
    var (source, program): (String, String) = ("", "")
    var path: [UInt8] = []
    var place: [UInt8]?
    var isHollow = true
    var reader = WireReader()
    while let field = try reader.next(in: message) {
      switch field.number {
      case 2: source = try field.text(in: message)
      case 3: path = try field.bytes(in: message)
      case 4: guard try field.varint() == 0 else { return }
      case 6: isHollow = message.extracting(try field.content()).isZero
      case 16: place = try field.bytes(in: message)
      case 17: program = try field.text(in: message)
      default: break
      }
    }
    note(file: source, path: path, place: place, program: program, in: section, isHollow: isHollow)
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
