internal import FuekiSources
internal import FuekiCrypto
internal import FuekiSystem
public import FuekiWallet

/// A kind of foreign source, as in `create --from kind:PATH` and `import --format kind`, with everything that this
/// program knows about the wallets of the kind.
///
/// ``all`` is the registry. Discovery, the rules for putting files back, and the natures of files come from it.
public struct CollectorKind: Sendable {
  /// The kind's name on the command line.
  public let name: String
  /// A short description for help texts.
  public let summary: String
  /// The part of a path that it collects.
  public let reach: SourceReach
  /// The row of the README's table of wallets.
  let guide: WalletGuide
  /// Whether a path may be a directory.
  package var takesFolders: Bool { reach != .file }
  /// The programs that have such wallets, and their places.
  package let programs: [WalletProgram]
  /// The formats about which more than a name is known.
  let formats: [FileFormat]
  /// The names of wallets' files.
  let fileNames: WalletNames
  /// The hazards of every wallet of the kind.
  public let hazards: [WalletHazard]
  /// Whether its files are key shares, which `shares check` reads.
  let hasKeyShares: Bool
  /// Whether shares of one key from several files are compared.
  let comparesEpochs: Bool
  /// Whether a directory is one that a browser may have open.
  let isInBrowser: Bool
  /// The limit of a file's length; a longer one is kept without being read.
  let limit: Int
  /// Whether it takes any file for its own.
  let takesAnything: Bool
  /// A file of the kind, for messages after "no".
  let what: String
  /// Whether a file's first bytes look like this kind.
  let recognises: @Sendable (_ beginning: Span<UInt8>) -> Bool
  /// Returns the paths of a named file's wallet: also those of the files that belong to it.
  let paths: @Sendable (_ path: String) -> [String]
  /// Looks at one file.
  let look: @Sendable (_ found: borrowing FoundFile, _ asked: Asked) throws -> Look
  /// Compares what was made of all files.
  let together: @Sendable (_ files: inout [Kept], _ asked: Asked) throws -> Void

  init(
    _ name: String, _ summary: String, reach: SourceReach, guide: WalletGuide, programs: [WalletProgram] = [],
    formats: [FileFormat] = [], fileNames: WalletNames = WalletNames(), hazards: [WalletHazard] = [],
    hasKeyShares: Bool = false, comparesEpochs: Bool = false, limit: Int = ImportLimits.walletByteCount,
    isInBrowser: Bool = false, takesAnything: Bool = false, what: String,
    recognises: @escaping @Sendable (_ beginning: Span<UInt8>) -> Bool,
    paths: @escaping @Sendable (_ path: String) -> [String] = { [$0] },
    together: @escaping @Sendable (_ files: inout [Kept], _ asked: Asked) throws -> Void = { _, _ in },
    look: @escaping @Sendable (_ found: borrowing FoundFile, _ asked: Asked) throws -> Look
  ) {
    (self.name, self.summary, self.reach, self.guide) = (name, summary, reach, guide)
    (self.programs, self.formats, self.fileNames) = (programs, formats, fileNames)
    (self.hazards, self.hasKeyShares, self.comparesEpochs) = (hazards, hasKeyShares, comparesEpochs)
    (self.isInBrowser, self.limit, self.takesAnything, self.what) = (isInBrowser, limit, takesAnything, what)
    (self.recognises, self.paths, self.together, self.look) = (recognises, paths, together, look)
  }

  /// Finds the kind with a name.
  public init(named name: String) throws(CollectorKindError) {
    guard let kind = Self.all.first(where: { $0.name == name }) else {
      throw .unknownKind(name: name, known: Self.all.map(\.name))
    }
    self = kind
  }
}

extension CollectorKind {
  /// All kinds except `store`, which is not a foreign source.
  ///
  /// A new wallet is a folder and a line here. The first kind that recognises a file wins, so specific kinds come
  /// first.
  public static let all: [CollectorKind] = [
    vultisig,
    frost,
    cggmp21,
    multiPartySig,
    dkls,
    fireblocks,
    ioFinnet,
    unstoppable,
    eip2335,
    eip3076,
    lnd,
    solana,
    coreLightning,
    metamask,
    monero,
    wasabi,
    polkadot,
    keystore,
    tssLib,
    fuekiApp,
    fuekiVault,
    ownd,
    electrum,
    fuekiShare,
    // These precede the labels, which some of them contain.
    bitcoinCore,
    multisig,
    sparrow,
    labels,
    vCard,
    csvContacts,
    // Accepts anything, so it recognises nothing.
    file,
  ]

  /// Creates the source at a path, without opening it.
  ///
  /// `passphrase` asks for the password of encrypted files. Without it, only unencrypted content is read.
  /// `copying` copies files that their programs may be writing.
  /// With a place for readers the files are read in a process of their own.
  public func source(
    at path: String, passphrase: SourcePassphrase? = nil, copying: FileCopying? = nil,
    in readers: Readers? = nil
  ) -> any ForeignSource {
    guard let readers else {
      return KindSource(kind: self, path: path, passphrase: passphrase, copying: copying)
    }
    return BoxedSource(kind: self, path: path, passphrase: passphrase, copying: copying, readers: readers)
  }

  /// Creates the source for `kind:PATH`, without opening it.
  public static func source(
    _ text: String, passphrase: SourcePassphrase? = nil, copying: FileCopying? = nil,
    in readers: Readers? = nil
  ) throws(CollectorKindError) -> any ForeignSource {
    // Split by bytes, because the path may start with a combining mark, which joins the colon.
    guard let colon = text.utf8.firstIndex(of: UInt8(ascii: ":")),
      text.utf8.index(after: colon) < text.endIndex
    else { throw .noPath(text: text) }
    let path = String(text[text.utf8.index(after: colon)...])
    return try CollectorKind(named: String(text[..<colon])).source(
      at: path, passphrase: passphrase, copying: copying, in: readers)
  }
}

/// Why a text is not a foreign source.
public enum CollectorKindError: Error, Equatable, Sendable {
  /// There is no collector of this kind.
  case unknownKind(name: String, known: [String])
  /// The text is not `kind:PATH`.
  case noPath(text: String)
}

extension CollectorKind {
  /// The number of bytes to inspect: enough for the first members in every kind.
  private static let beginningByteCount = 256 << 10

  /// Finds the kind of a file, or of a directory's first recognised file, by content or name.
  ///
  /// - Returns: nil if no kind recognises it.
  /// - Throws: errors of the system.
  public static func recognised(at path: String) throws -> CollectorKind? {
    // If there is no such path, opening it as a file reports that.
    guard let folder = try? Directory.open(path) else {
      return try kind(of: File.open(path), named: PathParts(path).name)
    }
    for name in try folder.fileNames() {
      let kind = try? kind(of: folder.openFile(name), named: FileName.text(name))
      if let kind, kind.takesFolders { return kind }
    }
    return nil
  }

  private static func kind(of file: consuming File, named name: String) throws -> CollectorKind? {
    let count = min(Int(clamping: try file.size()), beginningByteCount)
    guard count > 0 else { throw ForeignFileError.notThisFormat(reason: "\(file.path) is empty") }
    // The file may be a key share, whose numbers must not stay in memory.
    var beginning = try SecretBytes(count: count)
    _ = try beginning.withMutableBytes { bytes in try file.pread(into: &bytes, at: 0) }
    // The kinds do not recognise UTF-16, so it is converted.
    let text: [UInt8]? = beginning.withBytes { bytes in
      guard bytes[0] >= 0xFE else { return nil }
      return try? TextLines.text(bytes.copied())
    }
    if let text, let kind = all.first(where: { $0.recognises(text.span) }) { return kind }
    return beginning.withBytes { bytes in all.first { $0.recognises(bytes) } }
      ?? all.first { $0.fileNames.exact.contains(name) }
  }
}

extension Span<UInt8> {
  /// Whether the bytes start with an ASCII text.
  func begins(with text: StaticString) -> Bool {
    let wanted = Array("\(text)".utf8)
    return count >= wanted.count && wanted.indices.allSatisfy { self[$0] == wanted[$0] }
  }

  /// Whether the bytes contain an ASCII text.
  func contains(_ text: StaticString) -> Bool {
    let wanted = Array("\(text)".utf8)
    guard count >= wanted.count else { return false }
    for start in 0...count - wanted.count where self[start] == wanted[0] {
      if wanted.indices.allSatisfy({ self[start + $0] == wanted[$0] }) { return true }
    }
    return false
  }
}

/// The part of a path that a source collects.
///
/// Coverage checks use it, and collectors' walks must agree with it.
public enum SourceReach: Sendable {
  /// The named file.
  case file
  /// A file, or the files directly in a directory. Hidden ones and editors' backups are kept without being read.
  case folder
  /// A file, or all files below a directory.
  case tree

  /// Whether the walk of a directory reaches a path.
  ///
  /// Both must be without links.
  public func covers(_ path: [UInt8], below folder: [UInt8]) -> Bool {
    let start = folder.last == Self.slash ? folder : folder + [Self.slash]
    guard path.starts(with: start) else { return false }
    let names = path.dropFirst(start.count).split(separator: Self.slash)
    switch self {
    case .file: return false
    case .folder: return names.count == 1 && names.allSatisfy { !FileWalk.isPassedOver(Array($0)) }
    case .tree: return !names.isEmpty && names.count <= FileWalk.depth
    }
  }

  private static let slash = UInt8(ascii: "/")
}
