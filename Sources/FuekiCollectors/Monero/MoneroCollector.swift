internal import FuekiBackup
internal import FuekiCrypto
internal import FuekiSystem
internal import FuekiWallet

extension CollectorKind {
  /// Monero's wallets.
  static let monero = CollectorKind(
    MoneroCollector.kind, "wallets of Monero: .keys and the files next to them", reach: .tree, guide: .monero,
    programs: [
      WalletProgram(
        id: "monero", title: "Monero", folders: ["Monero", ".bitmonero"],
        flatpaks: ["org.getmonero.Monero", "org.featherwallet.Feather"],
        snaps: ["monero"],
        places: [
          .folder("Monero/wallets", of: ["*.keys", "*/*.keys"], kind: MoneroCollector.kind, .always),
          .folder(".local/share/monero-wallet", of: ["*.keys"], kind: MoneroCollector.kind, .always),
        ])
    ],
    fileNames: WalletNames(certain: ["*.keys"]), limit: .max, what: "keys of a Monero wallet",
    recognises: { _ in false }, paths: MoneroCollector.paths, look: MoneroCollector.look)
}

/// Wallets of Monero's own programs and of Feather, byte for byte.
///
/// `NAME.keys` contains the encrypted keys. With their password they are compared with the address. `NAME`
/// has the results of a scan, with notes and payment keys; `NAME.address.txt` is the address.
enum MoneroCollector {
  static let kind = "monero"
  static let keysFormat = "monero-keys"
  static let cacheFormat = "monero-cache"
  static let keysEnding = ".keys"
  static let addressEnding = ".address.txt"

  /// The directory, or all files of the wallet to which the named file belongs.
  static func paths(of path: String) -> [String] {
    let endings = ["", Self.addressEnding, Self.keysEnding]
    func exists(_ path: String) -> Bool { (try? File.openRegular(path)) != nil }
    guard exists(path) else { return [path] }
    let stem =
      endings.dropFirst().first { path.hasSuffix($0) }.map { String(path.dropLast($0.count)) } ?? path
    guard !PathParts(stem).name.isEmpty, exists(stem + Self.keysEnding) else { return [path] }
    return endings.map { stem + $0 }.filter(exists)
  }

  static func look(at found: borrowing FoundFile, _ asked: Asked) throws -> Look {
    let name = found.nameText
    guard found.name.reversed().starts(with: keysEnding.utf8.reversed()) else {
      guard isBesideKeys(found.path) || name.hasSuffix(addressEnding) else {
        return .other(reason: "it is no file of a Monero wallet")
      }
      var kept = Kept(format: cacheFormat)
      (kept.isSecret, kept.program, kept.isWallet) = (false, kind, false)
      return .wallet(kept)
    }
    guard found.byteCount <= UInt64(ImportLimits.walletByteCount) else {
      throw ForeignFileError.overLimit(reason: "\(name) is longer than any wallet's keys")
    }
    var proof = MoneroProof(asked.proofPassword)
    let judged = try proof.judge(found.publicBytes(), name, address: Self.address(beside: found.path))
    var kept = Kept(format: keysFormat, isSecret: judged.finding.isInClear, judged.finding)
    (kept.program, kept.wallets) = (kind, judged.wallet.map { [$0] } ?? [])
    return .wallet(kept)
  }

  /// Whether a file is next to its wallet's keys, and thus the wallet's cache.
  private static func isBesideKeys(_ path: [UInt8]) -> Bool {
    (try? File.openRegular(path + Array(Self.keysEnding.utf8))) != nil
  }

  /// Returns the address in the file next to a wallet's keys.
  private static func address(beside path: [UInt8]) -> String? {
    let stem = path.dropLast(keysEnding.utf8.count)
    guard let file = try? File.openRegular(Array(stem) + Array(addressEnding.utf8)),
      let text = try? file.readAll(limit: 1024)
    else { return nil }
    let address = String(decoding: text.filter { $0 > 0x20 }, as: UTF8.self)
    return address.isEmpty ? nil : address
  }
}
