internal import FoundationEssentials
internal import FuekiCrypto
internal import FuekiWallet

/// The facts that the shares of one set must have in common.
struct ShareAgreement {
  let shares: [KnownShare]

  /// The aspects in which the shares differ, with each share's value.
  ///
  /// If the curves or keys differ, nothing else is compared. A missing value differs from no other, because many
  /// sources know neither epoch nor threshold.
  var differences: [ShareFinding] {
    let apart =
      difference(.curve) { $0.curve.isEmpty ? nil : $0.curve }
      ?? difference(.protocol) { $0.protocol.isEmpty ? nil : $0.protocol }
      ?? difference(.key) { $0.groupPublicKey.isEmpty ? nil : Hex.encode([UInt8]($0.groupPublicKey)) }
    if let apart { return [apart] }
    return [
      difference(.epoch) { $0.hasEpoch ? "\($0.epoch)" : nil },
      difference(.threshold) { $0.hasThreshold ? "\($0.threshold)" : nil },
    ].compactMap(\.self)
  }

  private func difference(
    _ aspect: ShareFinding.Aspect, _ value: (KeyShareDescriptor) -> String?
  ) -> ShareFinding? {
    var parts: [(value: String, shares: [ShareName])] = []
    for share in shares {
      guard let value = value(share.descriptor) else { continue }
      if let known = parts.firstIndex(where: { $0.value == value }) {
        parts[known].shares.append(share.name)
      } else {
        parts.append((value, [share.name]))
      }
    }
    guard parts.count > 1 else { return nil }
    let named = parts.map { ShareFinding.Part(value: $0.value, shares: $0.shares) }
    return ShareFinding(shares: [], kind: .mixed(aspect, named))
  }

  /// Shares of the same party, which count once.
  ///
  /// A share without an x is none's double.
  var doubled: [ShareFinding] {
    var known: [[UInt8]: [ShareName]] = [:]
    for share in shares where !share.place.isEmpty { known[share.place, default: []].append(share.name) }
    return known.values.filter { $0.count > 1 }
      .sorted { $0[0].id.lexicographicallyPrecedes($1[0].id) }
      .map { ShareFinding(shares: $0, kind: .doubled) }
  }

  /// One value that all shares which have it agree on.
  func common<Value: Hashable>(_ value: (KeyShareDescriptor) -> Value?) -> Value? {
    let values = Set(shares.compactMap { value($0.descriptor) })
    return values.count == 1 ? values.first : nil
  }
}
