/// How much of what is at a path a source takes: coverage asks it, and the walks that collectors make agree with it.
public enum SourceReach: Sendable {
  /// The one file that is named.
  case file
  /// A file, or those directly in a folder, as ``SourceFiles`` gives them.
  case folder
  /// A file, or all below a folder, as ``FileWalk`` gives them.
  case tree

  /// Whether the walk of a folder comes to a path, both without links.
  public func covers(_ path: [UInt8], below folder: [UInt8]) -> Bool {
    let start = folder.last == Self.slash ? folder : folder + [Self.slash]
    guard path.starts(with: start) else { return false }
    let names = path.dropFirst(start.count).split(separator: Self.slash)
    switch self {
    case .file: return false
    case .folder: return names.count == 1 && names.allSatisfy { !SourceFiles.isPassedOver(Array($0)) }
    case .tree: return !names.isEmpty && names.count <= FileWalk.depth
    }
  }

  private static let slash = UInt8(ascii: "/")
}

/// A kind of foreign source, as `create --from kind:PATH` and `import --format kind` name it.
///
/// This is the one table: a new collector is a file and a line here.
public struct CollectorKind: Sendable {
  /// The name that people type.
  public let name: String
  /// What it reads, in a few words for a help text.
  public let summary: String
  /// How much of what is at a path it takes.
  public let reach: SourceReach
  /// Whether a path may be a folder.
  public var takesFolders: Bool { reach != .file }
  /// Names that files of this kind have where their content says nothing.
  let fileNames: Set<String>
  /// Whether the beginning of a file looks like one of this kind.
  let recognises: @Sendable (_ beginning: Span<UInt8>) -> Bool
  let make: Make

  typealias Make =
    @Sendable (_ path: String, _ passphrase: SourcePassphrase?, _ copying: FileCopying?) -> any ForeignSource

  /// All kinds; `store` is not among them, because it is no foreign source.
  ///
  /// The first that recognises a file has it, so the more particular come first.
  public static let all: [CollectorKind] = [
    vultisig, frost, cggmp21, multiPartySig, dkls, fireblocks, ioFinnet,
    CollectorKind(
      "unstoppable", "encrypted backups of the Fueki app or Unstoppable Wallet", reach: .file,
      recognises: {
        $0.contains("\"ciphertext\"") && $0.contains("\"kdfparams\"")
          && ($0.contains("\"enabled_wallets\"") || $0.contains("\"manual_backup\""))
      },
      make: { path, passphrase, _ in UnstoppableCollector(path: path, passphrase: passphrase) }),
    .eip2335,
    .eip3076,
    .lnd,
    .solana,
    .coreLightning,
    .metamask,
    .monero,
    CollectorKind(
      "keystore", "Web3 Secret Storage files (geth and others)", reach: .folder,
      recognises: {
        $0.contains("\"ciphertext\"") && $0.contains("\"kdfparams\"") && !$0.contains("\"wallets\"")
      },
      make: { path, passphrase, _ in KeystoreCollector(path: path, passphrase: passphrase) }),
    CollectorKind(
      "tss-lib", "key share files of bnb-chain/tss-lib", reach: .folder,
      recognises: { $0.contains("\"ShareID\"") || $0.contains("\"Xi\"") },
      make: { path, _, _ in TssLibCollector(path: path) }),
    CollectorKind(
      "fueki-app", "a JSON bundle of the Fueki app", reach: .file,
      recognises: {
        $0.contains("\"transactionHistory\"") || $0.contains("\"encryptedKeyShares\"")
          || $0.contains("\"addressBook\"")
      },
      make: { path, _, _ in FuekiAppCollector(path: path) }),
    CollectorKind(
      "fueki-vault", "encrypted FUEK containers of the Fueki app", reach: .file,
      recognises: { $0.begins(with: FuekiVaultCollector.magic) },
      make: { path, passphrase, _ in FuekiVaultCollector(path: path, passphrase: passphrase) }),
    CollectorKind(
      "ownd", "backups of the OWND wallet (ZIP), and its own files (.pb)", reach: .folder,
      fileNames: OWNDStore.fileNames,
      recognises: { OWNDCollector.isZIP($0) ? $0.contains("backup.txt") : OWNDStore.isLikely($0) },
      make: { path, _, _ in OWNDCollector(path: path) }),
    CollectorKind(
      "electrum", "wallet files of Electrum, encrypted or not", reach: .folder,
      recognises: { ElectrumText.isLikely($0) },
      make: { path, passphrase, _ in ElectrumCollector(path: path, passphrase: passphrase) }),
    CollectorKind(
      "fueki-share", "key shares of the Fueki app's second generation", reach: .folder,
      recognises: { FuekiShareLayout($0) != nil },
      make: { path, _, _ in FuekiShareCollector(path: path) }),
    // Before the labels, which some of these have in them.
    .bitcoinCore, .multisig, .sparrow,
    CollectorKind(
      "bip329", "labels of transactions and addresses, as BIP-329 has them", reach: .file,
      recognises: { $0.contains("\"type\"") && $0.contains("\"ref\"") && $0.contains("{") },
      make: { path, _, _ in LabelsCollector(path: path) }),
    CollectorKind(
      "vcard", "contacts in vCards of version 3.0 or 4.0", reach: .file,
      recognises: { $0.contains("BEGIN:VCARD") || $0.contains("begin:vcard") },
      make: { path, _, _ in VCardContacts(path: path) }),
    CollectorKind(
      "csv-contacts", "contacts in a CSV file with a column \"address\"", reach: .file,
      recognises: { CSVContacts.isLikely($0) },
      make: { path, _, _ in CSVContacts(path: path) }),
    // Takes anything, and so recognises nothing.
    CollectorKind(
      FileCollector.kind, "any file, or a folder with all in it, as it is", reach: .tree,
      recognises: { _ in false }, make: { FileCollector(path: $0, copying: $2) }),
  ]

  init(
    _ name: String, _ summary: String, reach: SourceReach, fileNames: Set<String> = [],
    recognises: @escaping @Sendable (_ beginning: Span<UInt8>) -> Bool,
    make: @escaping Make
  ) {
    self.name = name
    self.summary = summary
    self.reach = reach
    self.fileNames = fileNames
    self.recognises = recognises
    self.make = make
  }

  /// Finds the kind that people know by a name.
  public init(named name: String) throws(CollectorKindError) {
    guard let kind = Self.all.first(where: { $0.name == name }) else {
      throw .unknownKind(name: name, known: Self.all.map(\.name))
    }
    self = kind
  }

  /// The source at a path; nothing is opened yet.
  ///
  /// The passphrase is where to ask for what opens an encrypted file; without it only what needs none is read.
  /// What copies files that their programs may be writing is for the kind that takes any file.
  /// With a place for readers the files are read in a process of their own.
  public func source(
    at path: String, passphrase: SourcePassphrase? = nil, copying: FileCopying? = nil,
    in readers: Readers? = nil
  ) -> any ForeignSource {
    guard let readers else { return make(path, passphrase, copying) }
    return BoxedSource(kind: self, path: path, passphrase: passphrase, copying: copying, readers: readers)
  }

  /// The source that `kind:PATH` names; nothing is opened yet.
  public static func source(
    _ text: String, passphrase: SourcePassphrase? = nil, copying: FileCopying? = nil,
    in readers: Readers? = nil
  ) throws(CollectorKindError) -> any ForeignSource {
    // By bytes: a name can begin with a mark that joins what is before it.
    guard let colon = text.utf8.firstIndex(of: UInt8(ascii: ":")),
      text.utf8.index(after: colon) < text.endIndex
    else { throw .noPath(text: text) }
    let path = String(text[text.utf8.index(after: colon)...])
    return try CollectorKind(named: String(text[..<colon])).source(
      at: path, passphrase: passphrase, copying: copying, in: readers)
  }
}

extension Span<UInt8> {
  /// Whether these are the first bytes.
  fileprivate func begins(with bytes: [UInt8]) -> Bool {
    count >= bytes.count && bytes.indices.allSatisfy { self[$0] == bytes[$0] }
  }
}

/// Why a text names no foreign source.
public enum CollectorKindError: Error, Equatable, Sendable {
  /// There is no collector of this kind.
  case unknownKind(name: String, known: [String])
  /// The text is not `kind:PATH`.
  case noPath(text: String)
}
