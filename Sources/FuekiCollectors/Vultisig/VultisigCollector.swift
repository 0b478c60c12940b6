public import FuekiBackup
internal import FuekiCrypto
internal import FuekiWallet

/// Collects vault shares exported by the Vultisig apps: `.vult`, `.bak`, the older `.dat`, and ZIP files of
/// several.
///
/// Only the exported file can recover a vault. It is kept unchanged. Its key shares are compared with the
/// vault's keys, so that a wrong export is detected while another device still exists.
public struct VultisigCollector: ForeignSource {
  static let kind = "vultisig"

  private let path: String
  private let passphrase: SourcePassphrase?

  /// Creates a source for a file or directory.
  ///
  /// `passphrase` asks for its password.
  public init(path: String, passphrase: SourcePassphrase?) {
    self.path = path
    self.passphrase = passphrase
  }

  /// The source's name in reports.
  public var name: String { "\(Self.kind):\(path)" }

  /// Reads the files.
  ///
  /// - Throws: ``ForeignFileError``, or errors of the system or of asking for the password.
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
