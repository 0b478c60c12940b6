internal import FoundationEssentials
public import FuekiBackup
internal import FuekiCrypto
internal import FuekiWallet

/// Key packages of the Zcash Foundation's FROST, with the public packages of their groups.
///
/// Files are told by their members and never by their names: a dealer's tool writes shares into files that are named
/// as packages.
public struct FROSTCollector: ForeignSource {
  static let kind = "frost"

  private let path: String

  /// The file or folder that a person named.
  public init(path: String) { self.path = path }

  /// The source as reports name it.
  public var name: String { "\(Self.kind):\(path)" }

  /// Reads the files, and holds the shares against the public packages that lie beside them.
  ///
  /// - Throws: ``ForeignFileError``, or what the system refuses.
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

/// Shares beside the public package of their group.
enum FROSTGroup {
  /// Notes the group's points in its shares; a share that is not among them is of another epoch.
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
  /// Holds the content's shares against their group's package.
  mutating func hold(_ package: FROSTPackage) { FROSTGroup.hold(&shares, against: package) }
}

extension CollectorKind {
  static let frost = CollectorKind(
    FROSTCollector.kind, "key packages of the Zcash Foundation's FROST", reach: .folder,
    recognises: { FROSTFile.isLikely($0) }, make: { path, _, _ in FROSTCollector(path: path) })
}

extension ShareEncoding {
  /// A whole package, in either form.
  static let frost = reading(FROSTContent.encoding) { bytes, _ in try FROSTContent.point(bytes) }
}
