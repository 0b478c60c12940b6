internal import FoundationEssentials
internal import FuekiSystem
internal import FuekiBackup
internal import FuekiCrypto
internal import FuekiWallet

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
