internal import FoundationEssentials
internal import FuekiSources
internal import FuekiCrypto
internal import FuekiSystem
internal import FuekiWallet

/// Key packages of the Zcash Foundation's FROST, with their groups' public packages.
///
/// Files are recognised by their members and never by name: a dealer's tool writes shares to files named as
/// packages.
enum FROSTCollector {
  static let kind = "frost"

  static func look(at found: borrowing FoundFile, _ asked: Asked) throws -> Look {
    let bytes = try found.bytes()
    do {
      guard var content = try FROSTFile.content(bytes, name: found.nameText) else {
        return .other(reason: "it is no package of FROST")
      }
      if !content.isSecret, content.shares.isEmpty {
        content.other = try bytes.withBytes { try FROSTFile.package($0) }
      }
      return .wallet(content)
    } catch is FROSTFile.Nonces {
      return .withheld(
        reason: "it has signing nonces: used twice they reveal the share, and they are never backed up")
    }
  }

  /// Compares shares with the public packages next to them.
  static func together(_ files: inout [Kept], _ asked: Asked) {
    let packages = files.compactMap { $0.other as? FROSTPackage }
    for place in files.indices { for package in packages { files[place].hold(package) } }
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

extension Kept {
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
    fileNames: WalletNames(
      certain: ["key-package-*.json", "public-key-package.json", "credentials.toml"], possible: ["*.json"]),
    hasKeyShares: true, comparesEpochs: true, limit: 4 << 20, what: "package of FROST",
    recognises: { FROSTFile.isLikely($0) }, together: FROSTCollector.together, look: FROSTCollector.look)
}

extension ShareEncoding {
  /// Reads the secret of a complete package in either form.
  static let frost = reading(FROSTContent.encoding) { bytes, _ in try FROSTContent.point(bytes) }
}

/// Assesses a package's file.
enum FROSTContent {
  static let encoding = "frost"
  static let format = "frost-package"

  /// Describes one package, whose bytes are the share's secret.
  static func add(
    _ package: FROSTPackage, _ bytes: borrowing SecretBytes, name: String, to content: inout Kept
  ) throws {
    guard package.identifier != nil else { return addPublic(package, name: name, to: &content) }
    var side = SharePublicSide(
      scheme: scheme(package.suite), curve: package.suite.curveName, encoding: encoding, name: name)
    side.groupKey = package.commitment.first ?? package.groupKey
    side.threshold = package.commitment.isEmpty ? package.threshold : package.commitment.count
    side.ownPlace = package.identifier ?? []
    side.ownPoint = package.ownPoint
    side.extra = [Extra("ciphersuite", json: JSONText.quoted(package.suite.name))]
    let result = try Self.result(package, &side)
    let finding = WalletFinding(
      kind: FROSTCollector.kind, name: name, result, detail: ShareProof.detail(side))
    content.shares.append(
      FoundShare(descriptor: side.descriptor, secret: SharedSecret(try bytes.copied()), finding: finding))
  }

  private static func result(
    _ package: FROSTPackage, _ side: inout SharePublicSide
  ) throws -> WalletFinding.Result {
    guard let curve = package.suite.curve, let secret = package.secret else {
      return .notProved(.unknownScheme)
    }
    let point = try ShareProof.point(of: secret.bytes, on: curve)
    guard !package.commitment.isEmpty else { return try ShareProof.result(of: &side, point: point) }
    // The dealer's commitment is the whole polynomial, from which the share's and the group's points follow.
    do throws(CryptoError) {
      side.ownPoint = try CurvePoint.value(of: package.commitment, at: side.ownPlace, on: curve) ?? []
    } catch {
      guard error.concernsInput else { throw error }
      return .faulty(.malformed)
    }
    let result = try ShareProof.result(of: &side, point: point)
    return result == .proved(.publicKey) ? .proved(.groupKey) : result
  }

  private static func addPublic(
    _ package: FROSTPackage, name: String, to content: inout Kept
  ) {
    var side = SharePublicSide(
      scheme: scheme(package.suite), curve: package.suite.curveName, encoding: encoding, name: name)
    (side.groupKey, side.threshold, side.parties) = (package.groupKey, package.threshold, package.parties)
    side.total = package.parties.count
    var result = WalletFinding.Result.publicPart()
    if let curve = package.suite.curve, let found = try? ShareProof.groupResult(of: &side, on: curve),
      case .faulty = found
    {
      result = found
    }
    content.findings.append(
      WalletFinding(kind: FROSTCollector.kind, name: name, result, detail: ShareProof.detail(side)))
  }

  /// Taproot keys are of another kind than other keys on their curve.
  private static func scheme(_ suite: FROSTSuite) -> String {
    suite.name.contains("-TR-") ? "frost-taproot" : "frost"
  }

  /// Returns the public point of a package's secret; nil for bytes without a secret.
  static func point(_ bytes: Span<UInt8>) throws -> [UInt8]? {
    guard let package = try FROSTFile.package(bytes), let curve = package.suite.curve,
      let secret = package.secret
    else { return nil }
    return try ShareProof.point(of: secret.bytes, on: curve)
  }
}
