internal import FoundationEssentials
internal import FuekiCrypto
internal import FuekiSystem
internal import FuekiWallet
public import FuekiSources

/// Key share files named by the user for a check.
///
/// Each is read separately, so that none hides another.
public struct KeyShareFiles {
  /// A file that could not be read as a share.
  public struct Refused: Sendable {
    /// Its name, or its path if another file has the same name.
    public let file: String
    /// The reason as a sentence.
    public let reason: String
  }

  /// The shares.
  public private(set) var shares: [KnownShare] = []
  /// Damaged share files, and files named by the user that are not shares.
  public private(set) var unreadable: [Refused] = []
  /// Other files in a directory.
  public private(set) var passedOver: [Refused] = []
  /// Whether a file has shares of several keys, so that they need not belong together.
  public private(set) var haveSeveralKeys = false

  /// Reads files, and the files directly in directories, except hidden ones.
  ///
  /// Each share's secret is decrypted, but only its public point is kept.
  ///
  /// - Parameter paths: at least one path.
  /// - Throws: ``ForeignFileError/notThisFormat(reason:)`` if no file is or was a share; errors of the
  ///   system.
  public init(_ paths: [String]) throws {
    let files = try paths.flatMap(Self.files)
    let names = Dictionary(grouping: files) { ExactText($0.name) }
    var wasShare = false
    for file in files {
      let name = names[ExactText(file.name)]?.count == 1 ? file.name : file.path
      if let kind = Self.kind(of: file) {
        wasShare = true
        try add(file, as: kind, name: name)
        continue
      }
      do {
        shares.append(try Self.share(file, name: name))
      } catch TssLibShare.Refusal.damaged(let reason) {
        unreadable.append(Refused(file: name, reason: reason))
        wasShare = true
      } catch TssLibShare.Refusal.otherFile(let reason) {
        let refused = Refused(file: name, reason: reason)
        if file.isNamed { unreadable.append(refused) } else { passedOver.append(refused) }
      }
    }
    guard !shares.isEmpty || wasShare else {
      throw ForeignFileError.notThisFormat(reason: "no key share is in \(paths.joined(separator: ", "))")
    }
  }

  private struct Found {
    let path: String
    let name: String
    let isNamed: Bool
  }

  private static func files(at path: String) throws -> [Found] {
    let name = path.split(separator: "/").last.map(String.init) ?? path
    guard let folder = try? Directory.open(path) else {
      return [Found(path: path, name: name, isNamed: true)]
    }
    return try folder.fileNames().filter { $0.first != UInt8(ascii: ".") }.map { bytes in
      let name = String(decoding: bytes, as: UTF8.self)
      return Found(path: "\(path)/\(name)", name: name, isNamed: false)
    }
  }

  /// Returns the kind of a share file by its collector; nil for tss-lib's own.
  private static func kind(of file: Found) -> CollectorKind? {
    guard let kind = try? CollectorKind.recognised(at: file.path) else { return nil }
    return kind.hasKeyShares ? kind : nil
  }

  /// Adds the shares of one file, and its collector's reports on other contents.
  private mutating func add(_ file: Found, as kind: CollectorKind, name: String) throws {
    let records: ImportedRecords
    do {
      records = try kind.source(at: file.path).read(CollectionRequest())
    } catch let error as ForeignFileError {
      return unreadable.append(Refused(file: name, reason: error.sentence))
    }
    for share in records.shares {
      var descriptor = share.descriptor
      if file.name != name { descriptor.name = name + descriptor.name.dropFirst(file.name.count) }
      shares.append(
        try KnownShare(
          descriptor, secret: share.secret, encodings: ShareEncoding.all, faults: share.faults))
    }
    haveSeveralKeys = haveSeveralKeys || Set(records.shares.map(\.descriptor.groupPublicKey)).count > 1
    for finding in records.findings
    where !records.shares.contains(where: { $0.descriptor.name == finding.name }) {
      guard let reason = Self.reason(finding.result) else { continue }
      unreadable.append(Refused(file: name, reason: reason))
    }
  }

  /// Returns why a finding's item is not a checkable share; nil if it is one, or not a share at all.
  private static func reason(_ result: WalletFinding.Result) -> String? {
    switch result {
    case .notProved(.needsPassword): "encrypted by its wallet: create checks it with the wallet's password"
    case .faulty(.ciphertext): "something encrypted is in place of a share"
    case .faulty(.length): "a share that is cut off, or longer than it says"
    case .faulty(.malformed), .faulty(.checksum): "a damaged key share"
    case .faulty(.foreignShare): "a share of another key than its wallet's"
    case .faulty, .proved, .notProved, .publicPart, .withoutSeed: nil
    }
  }

  private static func share(_ found: Found, name: String) throws -> KnownShare {
    let file = try File.openRegular(found.path)
    let size = try file.size()
    guard size > 0, size <= UInt64(TssLibCollector.byteCountLimit) else {
      throw TssLibShare.Refusal.otherFile(reason: "not a key share of tss-lib: it has \(size) bytes")
    }
    let count = Int(clamping: size)
    let secret = try SecretBytes(count: count) { bytes in
      guard try file.pread(into: &bytes, at: 0) == count else {
        throw TssLibShare.Refusal.damaged(reason: "it changed while it was read")
      }
    }
    let share = try secret.withBytes { bytes in
      try TssLibShare(bytes, name: name, byteCountLimit: TssLibCollector.byteCountLimit)
    }
    return try KnownShare(
      share.descriptor, secret: SharedSecret(secret), encodings: [.tssLib], faults: share.publicProblems)
  }
}

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
