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
    fileNames: .anyOrdinary, limit: ElectrumText.byteCountLimit, what: "wallet of Electrum",
    recognises: { ElectrumText.isLikely($0) }, together: ElectrumReading.together,
    look: { found, asked in try ElectrumReading(asked, found.nameText).look(at: found) })
}

/// Electrum wallet files of any version.
///
/// The file is kept byte for byte: as a secret if it contains unencrypted secrets, else as it is. Its
/// contents are also read: the wallet, its history, labels and contacts, and its secrets one by one.
enum ElectrumCollector {
  static let kind = "electrum"
  static let format = "electrum-wallet"
}
