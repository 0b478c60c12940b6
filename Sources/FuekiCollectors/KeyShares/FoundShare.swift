internal import FoundationEssentials
internal import FuekiSystem
internal import FuekiBackup
internal import FuekiCrypto
internal import FuekiWallet

/// A key share read from a file.
struct FoundShare {
  var descriptor: KeyShareDescriptor
  /// The secret in the descriptor's encoding; nil if the file has only the public part.
  var secret: SharedSecret?
  /// The value of its backup.
  var finding: WalletFinding
  /// Faults of its public part, in words.
  var faults: [String] = []
  /// Whether it signs for the wallet's current key.
  ///
  /// If not, it has no epoch to compare.
  var isCurrent = true
  /// Distinguishes independent ceremonies for one key; empty if there can be only one.
  var ceremony = ""
  /// The number of its file, or of a part of one.
  var document = 0

  /// The public shares of all parties, which are equal only within one epoch.
  var epoch: Set<Data> { Set(descriptor.points.map { $0.partyID + $0.point }) }
}

extension ImportedRecords {
  /// Adds requested shares without duplicates.
  mutating func add(_ found: [FoundShare], _ request: CollectionRequest) {
    let wantsSecrets = wants(.keyShares, request)
    guard !found.isEmpty, wantsSecrets || wants(.keyShareDescriptors, request) else { return }
    for share in found {
      var finding = share.finding
      let descriptor = share.descriptor
      if let known = shares.first(where: { $0.descriptor.id == descriptor.id }) {
        let isSame = share.secret.map { known.secret.bytes.isEqualInConstantTime(to: $0.bytes) } ?? true
        exclude(
          descriptor.name,
          isSame
            ? "the same share as \(known.descriptor.name)"
            : "a share of the same key and party as \(known.descriptor.name), but another one",
          loss: isSame ? .none : .possible)
        if !isSame { findings.append(finding) }
        continue
      }
      for sentence in RecordValidation.problems(of: descriptor) {
        note("\(descriptor.name): \(sentence)", .keyShareDescriptors, descriptor.id)
      }
      if let secret = share.secret, wantsSecrets {
        guard budget.admitsSecret(), admits(descriptor) else { return }
        shares.append(Share(descriptor: descriptor, secret: secret, faults: share.faults))
      } else {
        guard admits(descriptor) else { return }
        if !descriptors.contains(where: { $0.id == descriptor.id }) { descriptors.append(descriptor) }
        if share.secret != nil, !finding.isFaulty { finding.result = .publicPart() }
      }
      findings.append(finding)
    }
  }
}
