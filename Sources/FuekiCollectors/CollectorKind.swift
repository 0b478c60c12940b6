/// The part of a path that a source collects.
///
/// Coverage checks use it, and collectors' walks must agree with it.
public enum SourceReach: Sendable {
  /// The named file.
  case file
  /// A file, or the files directly in a directory, as ``SourceFiles`` lists them.
  case folder
  /// A file, or all files below a directory, as ``FileWalk`` lists them.
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
    case .folder: return names.count == 1 && names.allSatisfy { !SourceFiles.isPassedOver(Array($0)) }
    case .tree: return !names.isEmpty && names.count <= FileWalk.depth
    }
  }

  private static let slash = UInt8(ascii: "/")
}

/// A kind of foreign source, as in `create --from kind:PATH` and `import --format kind`.
///
/// This is the only table: a new collector is a file and a line here.
public struct CollectorKind: Sendable {
  /// The kind's name on the command line.
  public let name: String
  /// A short description for help texts.
  public let summary: String
  /// The part of a path that it collects.
  public let reach: SourceReach
  /// Whether a path may be a directory.
  public var takesFolders: Bool { reach != .file }
  /// The names that identify files of this kind when their content does not.
  let fileNames: Set<String>
  /// Whether a file's first bytes look like this kind.
  let recognises: @Sendable (_ beginning: Span<UInt8>) -> Bool
  let make: Make

  typealias Make =
    @Sendable (_ path: String, _ passphrase: SourcePassphrase?, _ copying: FileCopying?) -> any ForeignSource

  /// All kinds except `store`, which is not a foreign source.
  ///
  /// The first kind that recognises a file wins, so specific kinds come first.
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
    // These precede the labels, which some of them contain.
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
    // Accepts anything, so it recognises nothing.
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

  /// Finds the kind with a name.
  public init(named name: String) throws(CollectorKindError) {
    guard let kind = Self.all.first(where: { $0.name == name }) else {
      throw .unknownKind(name: name, known: Self.all.map(\.name))
    }
    self = kind
  }

  /// Creates the source at a path, without opening it.
  ///
  /// `passphrase` asks for the password of encrypted files. Without it, only unencrypted content is read.
  /// `copying` copies files that their programs may be writing.
  /// With a place for readers the files are read in a process of their own.
  public func source(
    at path: String, passphrase: SourcePassphrase? = nil, copying: FileCopying? = nil,
    in readers: Readers? = nil
  ) -> any ForeignSource {
    guard let readers else { return make(path, passphrase, copying) }
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

extension Span<UInt8> {
  /// Whether the bytes start with these.
  fileprivate func begins(with bytes: [UInt8]) -> Bool {
    count >= bytes.count && bytes.indices.allSatisfy { self[$0] == bytes[$0] }
  }
}

/// Why a text is not a foreign source.
public enum CollectorKindError: Error, Equatable, Sendable {
  /// There is no collector of this kind.
  case unknownKind(name: String, known: [String])
  /// The text is not `kind:PATH`.
  case noPath(text: String)
}
