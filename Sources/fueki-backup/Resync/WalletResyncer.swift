internal import FuekiBackup
internal import FuekiSync

/// A resyncer that lists the endpoints of the wallets.
protocol WalletResyncer: Resyncer {
  /// The endpoints that the restored wallets name themselves.
  var walletEndpoints: [WalletEndpoint] { get }
}
