internal import FoundationEssentials
internal import FuekiBackup
internal import FuekiCrypto
internal import FuekiSystem
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
  /// The chains that its key is for; empty for a key of every chain.
  var chains: Set<String> = []
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

extension FoundShare {
  /// A key share that is assessed by itself: its secret against its public point, and the parties' points against the
  /// group's key.
  init(
    judging descriptor: KeyShareDescriptor, _ secret: SharedSecret, encodings: [ShareEncoding],
    faults: [String] = [], _ asked: Asked
  ) throws {
    let share = try KnownShare(descriptor, secret: secret, encodings: encodings, faults: faults)
    let result = asked.request.isForBackup ? try share.worth() : .notProved(.notRead)
    self.init(
      descriptor: descriptor, secret: secret,
      finding: asked.finding(
        descriptor.name, result, detail: Hex.encode([UInt8](descriptor.groupPublicKey))), faults: faults)
  }
}

extension ShareEncoding {
  /// Creates an encoding whose bytes are read in place.
  static func reading(
    _ name: String, _ point: @escaping @Sendable (Span<UInt8>, Curve) throws -> [UInt8]?
  ) -> ShareEncoding {
    ShareEncoding(name: name) { secret, curve in
      try secret.bytes.withBytes { bytes in try point(bytes, curve) }
    }
  }

  /// Vultisig's encodings: the text of a share as in the vault.
  static let vultisig: [ShareEncoding] = [
    reading(VultisigGG20.encoding) { try VultisigGG20.point($0, on: $1) },
    reading(DKLSKeyshare.encodingInVault) { text, _ in
      try GuardedEncodings.base64(text)?.withBytes { try DKLSKeyshare.point($0) }
    },
    reading(SchnorrKeyshare.encodingInVault) { text, _ in
      try GuardedEncodings.base64(text)?.withBytes { try SchnorrKeyshare.point($0) }
    },
  ]

  /// The raw bytes of these shares.
  static let dkls: [ShareEncoding] = [
    reading(DKLSKeyshare.encoding) { bytes, _ in try DKLSKeyshare.point(bytes) },
    reading(SchnorrKeyshare.encoding) { bytes, _ in try SchnorrKeyshare.point(bytes) },
  ]
}
