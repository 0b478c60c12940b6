internal import FuekiCrypto

/// A slot's secret, and the recipient for another slot that the same holder opens.
struct UnwrappingSecret: Sendable {
  let secret: SharedSecret
  let again: any Recipient
  /// The secret is proven to be this slot's, so a commitment that differs is not the caller's mistake.
  var mustOpen = false
  /// The error to report if the secret turns out to be wrong; nil for the general one.
  var otherwise: ArchiveError?
}
