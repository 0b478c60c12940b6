internal import FoundationEssentials
public import FuekiBackup
internal import FuekiCrypto
internal import FuekiWallet

/// Collects key packages of the Zcash Foundation's FROST, with their groups' public packages.
///
/// Files are recognised by their members and never by name: a dealer's tool writes shares to files named as
/// packages.
public struct FROSTCollector: ForeignSource {
  static let kind = "frost"

  private let path: String

  /// Creates a source for a file or directory.
  public init(path: String) { self.path = path }

  /// The source's name in reports.
  public var name: String { "\(Self.kind):\(path)" }

  /// Reads the files, and compares shares with the public packages next to them.
  ///
  /// - Throws: ``ForeignFileError``, or errors of the system.
  public func read(_ request: CollectionRequest) throws -> ImportedRecords {
    var files = ShareFileSource(kind: Self.kind, path: path, what: "package of FROST")
    files.byteCountLimit = 4 << 20
    var packages: [FROSTPackage] = []
    return try files.read(request) { bytes, name in
      let content = try FROSTFile.content(bytes, name: name)
      if let content, !content.isSecret, content.shares.isEmpty,
        let package = try bytes.withBytes({ try FROSTFile.package($0) })
      {
        packages.append(package)
      }
      return content
    } together: { shares in
      for package in packages { FROSTGroup.hold(&shares, against: package) }
    }
  }
}

/// Compares shares with their group's public package.
enum FROSTGroup {
  /// Records the group's points in its shares.
  ///
  /// A share that is not among them is from another epoch.
  static func hold(_ shares: inout [FoundShare], against package: FROSTPackage) {
    guard let curve = package.suite.curve else { return }
    for place in shares.indices {
      var descriptor = shares[place].descriptor
      guard descriptor.groupPublicKey == Data(package.groupKey), descriptor.curve == curve.rawValue,
        descriptor.points.isEmpty, !shares[place].finding.isFaulty
      else { continue }
      let own = [UInt8](descriptor.partyID)
      guard let listed = package.parties.first(where: { ShareProof.isSame($0.place, own) }),
        Data(listed.point) == descriptor.ownPublicPoint
      else {
        shares[place].finding.result = .faulty(.staleShare)
        continue
      }
      descriptor.points = package.parties.map { party in
        var point = PartyPoint()
        point.partyID = Data(party.place)
        point.point = Data(party.point)
        return point
      }
      descriptor.total = UInt32(clamping: package.parties.count)
      var side = SharePublicSide(descriptor, encoding: descriptor.encoding)
      side.threshold = descriptor.hasThreshold ? Int(descriptor.threshold) : package.threshold
      if let result = try? ShareProof.groupResult(of: &side, on: curve) {
        shares[place].finding.result = result
      }
      if let threshold = side.threshold { descriptor.threshold = UInt32(clamping: threshold) }
      shares[place].finding.detail = ShareProof.detail(side)
      shares[place].descriptor = descriptor
    }
  }
}

extension ShareFileContent {
  /// Compares the content's shares with their group's package.
  mutating func hold(_ package: FROSTPackage) { FROSTGroup.hold(&shares, against: package) }
}

extension CollectorKind {
  static let frost = CollectorKind(
    FROSTCollector.kind, "key packages of the Zcash Foundation's FROST", reach: .folder,
    recognises: { FROSTFile.isLikely($0) }, make: { path, _, _ in FROSTCollector(path: path) })
}

extension ShareEncoding {
  /// Reads the secret of a complete package in either form.
  static let frost = reading(FROSTContent.encoding) { bytes, _ in try FROSTContent.point(bytes) }
}
