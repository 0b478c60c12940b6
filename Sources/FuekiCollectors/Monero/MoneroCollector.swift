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
    fileNames: WalletNames(certain: ["*.keys"]), recognises: { _ in false }, read: MoneroCollector.read)
}

/// Collects wallets of Monero's own programs and of Feather, byte for byte.
///
/// `NAME.keys` contains the encrypted keys. With their password they are compared with the address. `NAME`
/// has the results of a scan, with notes and payment keys; `NAME.address.txt` is the address.
enum MoneroCollector {
  static let kind = "monero"
  static let keysFormat = "monero-keys"
  static let cacheFormat = "monero-cache"
  static let keysEnding = ".keys"
  static let addressEnding = ".address.txt"

  /// Reads the files.
  ///
  /// - Throws: ``ForeignFileError``, or errors of the system or of asking for the password.
  static func read(_ source: KindSource, _ request: CollectionRequest) throws -> ImportedRecords {
    var records = ImportedRecords()
    var proof = MoneroProof(source.proofPassword(request))
    for path in paths(of: source.path) {
      try FileWalk(path: path, destroyed: source.destroyed(request)).forEach(into: &records) {
        found, records in
        try keep(found, &proof, source, request, &records)
      }
    }
    if records.findings.isEmpty {
      try records.foundNothing(at: source.path, "no keys of a Monero wallet are there")
    }
    records.keepOnly(request)
    return records
  }

  /// The directory, or all files of the wallet to which the named file belongs.
  private static func paths(of path: String) -> [String] {
    let endings = ["", Self.addressEnding, Self.keysEnding]
    func exists(_ path: String) -> Bool { (try? File.openRegular(path)) != nil }
    guard exists(path) else { return [path] }
    let stem =
      endings.dropFirst().first { path.hasSuffix($0) }.map { String(path.dropLast($0.count)) } ?? path
    guard !PathParts(stem).name.isEmpty, exists(stem + Self.keysEnding) else { return [path] }
    return endings.map { stem + $0 }.filter(exists)
  }

  private static func keep(
    _ found: borrowing FoundFile, _ proof: inout MoneroProof, _ source: KindSource,
    _ request: CollectionRequest, _ records: inout ImportedRecords
  ) throws {
    let name = found.nameText
    let isKeys = name.hasSuffix(Self.keysEnding)
    guard isKeys || isBesideKeys(found.path) || name.hasSuffix(Self.addressEnding) else {
      return records.exclude(name, "no file of a Monero wallet", loss: .none)
    }
    guard found.status.size <= UInt64(ImportLimits.walletByteCount) else {
      guard isKeys else {
        return try records.keepUnread(
          found, format: Self.cacheFormat, source: Self.kind, from: source.name, request)
      }
      return records.exclude(name, "longer than any wallet's keys: take it as file:PATH", loss: .possible)
    }
    let content = try found.file.readAll(limit: ImportLimits.walletByteCount)
    records.budget.read(content.count)
    let file = KeptFile(
      source: Self.kind, format: isKeys ? Self.keysFormat : Self.cacheFormat, program: Self.kind)
    guard isKeys else {
      file.keep(content, of: found, in: &records)
      return
    }
    let judged = try proof.judge(content, name, address: Self.address(beside: found.path))
    records.findings.append(judged.finding)
    if judged.finding.isInClear {
      try file.keep(secret: try SecretBytes(copying: content.span), of: found, in: &records)
    } else {
      file.keep(content, of: found, in: &records)
    }
    guard let wallet = judged.wallet, !records.wallets.contains(where: { $0.id == wallet.id }) else { return }
    records.add(wallet)
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
