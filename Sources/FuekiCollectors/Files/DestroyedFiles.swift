internal import FuekiBackup
internal import FuekiSystem
internal import FuekiWallet

/// Files that should be wallets but have lost their contents: empty, or with zeros at the start.
///
/// A power failure or a failing disk leaves such files. They are kept unchanged and reported as faulty, so
/// that a lost wallet is never mistaken for a directory without one.
struct DestroyedFiles {
  private static let sectorByteCount = 512

  /// The collector's kind.
  let kind: String
  let request: CollectionRequest

  /// Keeps a file if it is destroyed.
  ///
  /// - Parameters:
  ///   - found: the file.
  ///   - path: the source's path.
  ///   - isNamed: whether the user named the file itself, so that its name does not matter.
  ///   - records: receives the file and its fault.
  /// - Returns: whether it is destroyed.
  /// - Throws: ``Interrupted`` after a signal.
  func keep(
    _ found: borrowing FoundFile, of path: String, isNamed: Bool, in records: inout ImportedRecords
  ) throws(Interrupted) -> Bool {
    let name = FileName.text(found.name)
    guard request.isForBackup, isNamed || WalletNames.mayBeWallet(PathParts(name).name, of: kind),
      Self.isDestroyed(found)
    else { return false }
    records.findings.append(
      WalletFinding(
        kind: kind, name: name, .faulty(found.status.size == 0 ? .length : .malformed), isInClear: true))
    guard records.leaves(name, in: .secretFiles, request) else { return true }
    // The latest changes may still be in its database's logs.
    try records.stream(
      found, TakenFile(copy: nil), FileNature(isSecret: true, format: ""), source: kind,
      isDestroyed: true, from: "\(kind):\(path)", request)
    return true
  }

  private static func isDestroyed(_ found: borrowing FoundFile) -> Bool {
    guard found.status.size > 0 else { return true }
    let beginning = found.beginning(sectorByteCount)
    return !beginning.isEmpty && beginning.allSatisfy { $0 == 0 }
  }
}

/// Names of wallet files, for files whose content no longer identifies them.
enum WalletNames {
  /// Whether a file of this name is a wallet of the kind, whatever its content.
  static func isWallet(_ name: String, of kind: String) -> Bool {
    (certain[kind] ?? []).contains { NamePattern($0).matches(name) }
  }

  /// Whether a file of this name may have been a wallet of the kind, in a place for such wallets.
  static func mayBeWallet(_ name: String, of kind: String) -> Bool {
    guard !name.hasPrefix("."), !name.hasSuffix("~"), !name.hasSuffix(".lock"), !name.contains(".tmp") else {
      return false
    }
    guard kind != ElectrumCollector.kind else {
      // Its wallets have user-chosen names.
      return !ordinaryEndings.contains { name.lowercased().hasSuffix($0) }
    }
    guard !others.contains(where: { NamePattern($0).matches(name) }) else { return false }
    return isWallet(name, of: kind) || (possible[kind] ?? []).contains { NamePattern($0).matches(name) }
  }

  private static let certain: [String: [String]] = [
    BitcoinCoreCollector.kind: ["wallet.dat"],
    SparrowCollector.kind: ["*.mv.db"],
    CoreLightningCollector.kind: ["hsm_secret*", "emergency.recover*"],
    LNDCollector.kind: ["channel*.backup", "channel*.bak"],
    MoneroCollector.kind: ["*.keys"],
  ]

  private static let possible: [String: [String]] = [
    BitcoinCoreCollector.kind: ["*.dat"],
    KeystoreCollector.kind: ["UTC--*", "*.json"],
    EIP2335Collector.kind: ["*.json"],
    EIP3076Collector.kind: ["*.json", "slashing_protection*", "slashing-protection*"],
    SolanaCollector.kind: ["*.json"],
    TssLibCollector.kind: ["*.json"],
    "vultisig": ["*.vult", "*.bak"],
    "ownd": ["*.pb"],
    "frost": ["*.json"], "cggmp21": ["*.json"], "dkls23": ["*.json"], "multi-party-sig": ["*.json"],
    "multisig": ["*.bsms", "*.bed", "*.json"],
  ]

  /// Files of Bitcoin Core that are not wallets and may be empty or start with zeros.
  private static let others = [
    "peers.dat", "banlist.dat", "fee_estimates.dat", "mempool.dat", "anchors.dat", "xor.dat", "blk*.dat",
    "rev*.dat",
  ]

  private static let ordinaryEndings = [
    ".txt", ".md", ".html", ".htm", ".log", ".csv", ".pdf", ".png", ".jpg", ".ini", ".cfg", ".conf",
  ]
}
