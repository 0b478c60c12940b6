internal import FoundationEssentials
public import FuekiWallet

/// Compares the epochs of key shares that come with those that are there.
public enum ShareEpochs {
  /// Finds the shares of one side that are older than the other side's of the same key.
  ///
  /// Shares have the same key if they have the same group key on the same curve, or, if one of them does not state its
  /// key, if they belong to the same wallet. Shares without an epoch are neither older nor newer.
  ///
  /// - Parameters:
  ///   - shares: the possibly older shares.
  ///   - others: their possible replacements.
  /// - Returns: the older ones, key by key, in their own order.
  public static func older(
    _ shares: [KeyShareDescriptor], than others: [KeyShareDescriptor]
  ) -> [OlderShares] {
    let newest = Newest(others)
    var order: [Owner] = []
    var found: [Owner: OlderShares] = [:]
    for share in shares where share.hasEpoch {
      guard let (owner, latest) = newest.epoch(for: share), share.epoch < latest else { continue }
      let before = found[owner]
      if before == nil { order.append(owner) }
      found[owner] = OlderShares(
        groupKey: [UInt8](share.groupPublicKey), shares: (before?.shares ?? []) + [ShareName(share)],
        epoch: max(before?.epoch ?? 0, share.epoch), newest: max(before?.newest ?? 0, latest))
    }
    return order.compactMap { found[$0] }
  }

  /// A key, or the wallet of shares that do not say theirs.
  private struct Owner: Hashable {
    let id: Data
    let curve: String
    let protocolName: String

    init?(key share: KeyShareDescriptor) {
      guard !share.groupPublicKey.isEmpty else { return nil }
      self.init(share.groupPublicKey, share)
    }

    init?(wallet share: KeyShareDescriptor) {
      guard share.hasWalletID, !share.walletID.isEmpty else { return nil }
      self.init(share.walletID, share)
    }

    private init(_ id: Data, _ share: KeyShareDescriptor) {
      self.id = id
      curve = share.curve
      protocolName = share.protocol
    }
  }

  /// The highest epoch of each key's shares.
  private struct Newest {
    private var ofKeys: [Owner: UInt64] = [:]
    private var ofWallets: [Owner: UInt64] = [:]
    private var ofWalletsWithoutKey: [Owner: UInt64] = [:]

    init(_ shares: [KeyShareDescriptor]) {
      for share in shares where share.hasEpoch {
        let key = Owner(key: share)
        if let key { ofKeys[key] = max(ofKeys[key] ?? 0, share.epoch) }
        guard let wallet = Owner(wallet: share) else { continue }
        ofWallets[wallet] = max(ofWallets[wallet] ?? 0, share.epoch)
        guard key == nil else { continue }
        ofWalletsWithoutKey[wallet] = max(ofWalletsWithoutKey[wallet] ?? 0, share.epoch)
      }
    }

    func epoch(for share: KeyShareDescriptor) -> (Owner, UInt64)? {
      let wallet = Owner(wallet: share)
      guard let key = Owner(key: share) else {
        return wallet.flatMap { wallet in ofWallets[wallet].map { (wallet, $0) } }
      }
      let epochs = [ofKeys[key], wallet.flatMap { ofWalletsWithoutKey[$0] }].compactMap(\.self)
      return epochs.max().map { (key, $0) }
    }
  }
}

/// Key shares that newer ones of the same key have replaced.
///
/// A refresh creates a new share for every party, and the new shares cannot sign together with an old one.
public struct OlderShares: Hashable, Sendable {
  /// The key's public key, compressed; empty if the shares state only their wallet.
  public let groupKey: [UInt8]
  /// The older shares.
  public let shares: [ShareName]
  /// The highest epoch that the older shares have.
  public let epoch: UInt64
  /// The epoch of the shares that replaced them.
  public let newest: UInt64
}
