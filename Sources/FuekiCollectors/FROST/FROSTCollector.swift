internal import FoundationEssentials
internal import FuekiBackup
internal import FuekiCrypto
internal import FuekiWallet

/// Collects key packages of the Zcash Foundation's FROST, with their groups' public packages.
///
/// Files are recognised by their members and never by name: a dealer's tool writes shares to files named as
/// packages.
enum FROSTCollector {
  static let kind = "frost"

  /// Reads the files, and compares shares with the public packages next to them.
  ///
  /// - Throws: ``ForeignFileError``, or errors of the system.
  static func read(_ source: KindSource, _ request: CollectionRequest) throws -> ImportedRecords {
    var packages: [FROSTPackage] = []
    return try source.shares("package of FROST", limit: 4 << 20).read(request) { bytes, name in
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
    FROSTCollector.kind, "key packages of the Zcash Foundation's FROST", reach: .folder, guide: .keyShares,
    programs: [
      WalletProgram(
        id: "frost", title: "FROST", group: .signer, folders: [".config/frost"],
        places: [
          .one(".config/frost/credentials.toml", kind: "frost", .never, .clearSecret),
          .one(".local/frost/credentials.toml", kind: "frost", .never, .clearSecret),
          .folder("group-state", of: ["*/key_package.json"], .never, [.clearSecret, .oldShares]),
        ]),
      WalletProgram(
        id: "frost-export", title: "FROST key package",
        places: [
          .export("key-package-*.json", kind: "frost", .never, .clearSecret, .oldShares),
          .export("public-key-package.json", kind: "frost", .nothingSecret, .noSeed),
        ]),
    ],
    fileNames: WalletNames(possible: ["*.json"]), hasKeyShares: true,
    recognises: { FROSTFile.isLikely($0) }, read: FROSTCollector.read)
}

extension ShareEncoding {
  /// Reads the secret of a complete package in either form.
  static let frost = reading(FROSTContent.encoding) { bytes, _ in try FROSTContent.point(bytes) }
}
