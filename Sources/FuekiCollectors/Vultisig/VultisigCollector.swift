public import FuekiBackup
internal import FuekiCrypto
internal import FuekiWallet

/// Vault shares that the Vultisig apps export: `.vult`, `.bak`, the older `.dat`, and a ZIP file of several.
///
/// The exported file is all that recovers a vault. It is kept as it is; the key shares in it are compared with the
/// vault's keys, so that an export that holds something else is found while there is still another device.
public struct VultisigCollector: ForeignSource {
  static let kind = "vultisig"

  private let path: String
  private let passphrase: SourcePassphrase?

  /// The file or folder that a person named, and where its password is asked for.
  public init(path: String, passphrase: SourcePassphrase?) {
    self.path = path
    self.passphrase = passphrase
  }

  /// The source as reports name it.
  public var name: String { "\(Self.kind):\(path)" }

  /// Reads the files.
  ///
  /// - Throws: ``ForeignFileError``, or what the system or asking for the password refuses.
  public func read(_ request: CollectionRequest) throws -> ImportedRecords {
    let password = OncePassphrase(passphrase, work: request.work)
    let files = ShareFileSource(kind: Self.kind, path: path, what: "vault share of Vultisig")
    return try files.read(request) { bytes, name in
      try VultisigFile.content(bytes, name: name, password: password)
    }
  }
}

extension CollectorKind {
  static let vultisig = CollectorKind(
    VultisigCollector.kind, "vault shares of the Vultisig apps (.vult, .bak, ZIP)", reach: .folder,
    recognises: { VultisigFile.isLikely($0) },
    make: { path, passphrase, _ in VultisigCollector(path: path, passphrase: passphrase) })
}
