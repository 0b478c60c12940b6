internal import FuekiBackup
internal import FoundationEssentials
internal import FuekiCrypto
internal import FuekiSystem
internal import FuekiWallet

extension CollectorKind {
  static let electrum = CollectorKind(
    ElectrumCollector.kind, "wallet files of Electrum, encrypted or not", reach: .folder, guide: .electrum,
    programs: [
      WalletProgram(
        id: "electrum", title: "Electrum", folders: [".electrum"], flatpaks: ["org.electrum.electrum"],
        snaps: ["electrum"],
        locks: [.exists(".electrum/daemon"), .exists(".electrum/*/daemon")],
        places: [
          .folder(".electrum/wallets", of: ["*"], kind: "electrum", .electrum, [.laterKeys]),
          .folder(".electrum/*/wallets", of: ["*"], kind: "electrum", .electrum),
        ]),
      WalletProgram(
        id: "electrum-ltc", title: "Electrum-LTC", folders: [".electrum-ltc"],
        locks: [.exists(".electrum-ltc/daemon")],
        places: [.folder(".electrum-ltc/wallets", of: ["*"], kind: "electrum", .electrum)]),
      WalletProgram(
        id: "electron-cash", title: "Electron Cash", folders: [".electron-cash"],
        flatpaks: ["org.electroncash.ElectronCash"],
        locks: [.exists(".electron-cash/daemon")],
        places: [.folder(".electron-cash/wallets", of: ["*"], kind: "electrum", .electrum)]),
    ],
    formats: [FileFormat(ElectrumCollector.format, isPublic: { $0.begins(with: "QklFMQ") })],
    fileNames: .anyOrdinary, recognises: { ElectrumText.isLikely($0) }, read: ElectrumCollector.read)
}

/// Collects an Electrum wallet file of any version, or a directory of them.
///
/// The file is kept byte for byte: as a secret if it contains unencrypted secrets, else as it is. Its
/// contents are also read: the wallet, its history, labels and contacts, and its secrets one by one.
enum ElectrumCollector {
  static let kind = "electrum"
  static let format = "electrum-wallet"

  /// Reads the files.
  ///
  /// - Throws: ``ForeignFileError``, or errors of the system or of asking for the passphrase.
  static func read(_ source: KindSource, _ request: CollectionRequest) throws -> ImportedRecords {
    var records = ImportedRecords()
    var reading = ElectrumReading(request: request, passphrase: source.passphrase)
    let files = SourceFiles(
      path: source.path, byteCountLimit: UInt64(ElectrumText.byteCountLimit), longFileLoss: .possible,
      destroyed: source.destroyed(request),
      unread: UnreadFiles(kind: Self.kind, path: source.path, request: request))
    try files.forEach(into: &records) { found, records in
      let bytes = try GuardedFile.bytes(of: found)
      records.budget.read(bytes.count)
      request.work.admit(input: UInt64(bytes.count))
      try reading.takeOrKeep(bytes, found, &records)
      try records.checkLimits()
    }
    guard reading.count > 0 || records.findings.contains(where: { $0.isFaulty || $0.isUnread }) else {
      throw ForeignFileError.notThisFormat(reason: "no wallet of Electrum is in \(source.path)")
    }
    records.keepOnly(request)
    return records
  }
}
