internal import FuekiBackup
internal import FuekiWallet

/// The contents of a file of key shares.
struct ShareFileContent {
  var format: String
  /// Whether the file contains an unencrypted secret.
  var isSecret = true
  /// The file's program; nil to derive it from the place.
  var program: String?
  var shares: [FoundShare] = []
  var wallets: [Wallet] = []
  /// The value of other items' backup.
  var findings: [WalletFinding] = []
  /// Problems in words, in addition to findings.
  var problems: [String] = []
  /// Whether every secret in the file is one of its shares.
  var sharesAreAll = true

  init(format: String) { self.format = format }

  /// Creates content with a single finding.
  init(format: String, isSecret: Bool, _ finding: WalletFinding) {
    self.format = format
    self.isSecret = isSecret
    findings = [finding]
    sharesAreAll = false
  }
}
