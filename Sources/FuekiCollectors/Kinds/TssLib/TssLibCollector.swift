internal import FoundationEssentials
public import FuekiSources
internal import FuekiCrypto
internal import FuekiSystem
internal import FuekiWallet

extension CollectorKind {
  static let tssLib = CollectorKind(
    TssLibCollector.kind, "key share files of bnb-chain/tss-lib", reach: .folder, guide: .bareKeyShares,
    fileNames: WalletNames(possible: ["*.json"]), limit: ImportLimits.tssShareByteCount, what: "key share",
    recognises: { $0.contains("\"ShareID\"") || $0.contains("\"Xi\"") }, look: TssLibCollector.look)
}

/// Key share files of bnb-chain's tss-lib.
///
/// A file's bytes are the share's secret, and read directly into protected memory. Its public part is
/// described from its public members, and the secret is compared with the party's public point. The files do
/// not state the threshold, which stays unknown.
enum TssLibCollector {
  static let byteCountLimit = ImportLimits.tssShareByteCount
  static let kind = "tss-lib"

  static func look(at found: borrowing FoundFile, _ asked: Asked) throws -> Look {
    let bytes = try found.bytes()
    let name = found.nameText
    do {
      let share = try bytes.withBytes { try TssLibShare($0, name: name, byteCountLimit: byteCountLimit) }
      var kept = Kept(format: "tss-lib-json")
      kept.shares = [
        try FoundShare(
          judging: share.descriptor, SharedSecret(bytes), encodings: [.tssLib], faults: share.publicProblems,
          asked)
      ]
      kept.problems = share.problems
      return .wallet(kept)
    } catch TssLibShare.Refusal.otherFile(let reason) {
      return .other(reason: reason)
    } catch TssLibShare.Refusal.damaged(let reason) {
      var kept = Kept(
        format: "tss-lib-json", isSecret: true, asked.finding(name, .faulty(.malformed)))
      kept.problems = [reason]
      return .wallet(kept)
    }
  }
}

extension ShareEncoding {
  /// A complete tss-lib file, which contains the scalar as a decimal number.
  static let tssLib = ShareEncoding(name: TssLibShare.encoding) { secret, curve in
    try secret.bytes.withBytes { bytes in try TssLibShare.point(bytes, on: curve) }
  }

  /// Every supported encoding.
  public static let all: [ShareEncoding] =
    [.scalar, .tssLib] + vultisig + dkls + [frost, cggmp21] + multiPartySig
}

/// A tss-lib key share file with its description.
package struct TssLibShare {
  static let encoding = "tss-lib"
  private static let secretByteCount = 40

  let descriptor: KeyShareDescriptor
  /// Problems of the share, which is still kept.
  let problems: [String]
  /// Problems of its public part, and of the related moduli.
  let publicProblems: [String]
  /// Whether its Paillier key or another own modulus contradicts the public list.
  let hasWrongModuli: Bool

  /// Why a file is not described.
  package enum Refusal: Error, Equatable {
    /// It is of another kind.
    case otherFile(reason: String)
    /// It starts like a share, but is damaged.
    case damaged(reason: String)
  }

  /// Describes a complete file.
  ///
  /// Its secret numbers are only copied to protected memory.
  package init(_ bytes: Span<UInt8>, name: String, byteCountLimit: Int) throws {
    let outline: JSONOutline
    do throws(JSONError) {
      outline = try JSONOutline(bytes, limit: byteCountLimit)
    } catch {
      let looksRight = bytes.contains("\"ShareID\"") || bytes.contains("\"Xi\"")
      throw looksRight
        ? Refusal.damaged(reason: "a damaged key share: \(error.sentence)")
        : Refusal.otherFile(reason: "not a key share of tss-lib: \(error.sentence)")
    }
    guard let part = TssLibPublicPart(outline, bytes) else {
      throw Refusal.otherFile(reason: "JSON, but not a key share of tss-lib")
    }
    let ownIndex = part.ownIndex
    let ownPoint = ownIndex.flatMap { part.parties[$0].point }
    let moduli = try TssLibModuli(outline, bytes, ownIndex: ownIndex)
    hasWrongModuli = !moduli.problems.isEmpty
    publicProblems = part.problems + moduli.problems
    var problems = publicProblems
    if let problem = try Self.problem(ownPoint: ownPoint, on: part.curve, outline, bytes) {
      problems.append(problem)
    }
    self.problems = problems

    var descriptor = KeyShareDescriptor()
    descriptor.id = Self.id(groupKey: part.groupKey, partyID: part.ownID)
    descriptor.protocol = part.scheme.rawValue
    descriptor.curve = part.curve.rawValue
    if let ownIndex { descriptor.partyIndex = UInt32(clamping: ownIndex) }
    descriptor.total = UInt32(clamping: part.parties.count)
    descriptor.groupPublicKey = Data(part.groupKey)
    descriptor.ownPublicPoint = Data(ownPoint ?? [])
    descriptor.partyID = Data(part.ownID)
    descriptor.points = part.parties.compactMap { party in
      guard let id = party.id, let bytes = party.point else { return nil }
      var point = PartyPoint()
      point.partyID = Data(id)
      point.point = Data(bytes)
      return point
    }
    descriptor.encoding = Self.encoding
    descriptor.name = name
    self.descriptor = descriptor
  }

  /// Returns the id of a share by its key and party, equal in every backup.
  ///
  /// The file does not state its epoch, so a refreshed share has the id of its predecessor: a
  /// restore then detects the difference instead of mixing two epochs.
  static func id(groupKey: [UInt8], partyID: [UInt8], epoch: UInt64 = 0) -> Data {
    let epochBytes = stride(from: 0, to: 64, by: 8).map { UInt8(truncatingIfNeeded: epoch >> $0) }
    let digest = SHA256.hash(Array("fueki/1 share id".utf8), groupKey, partyID, epochBytes)
    return Data(digest.bytes.prefix(16))
  }

  /// Compares the secret's public point with the stated one.
  private static func problem(
    ownPoint: [UInt8]?, on curve: Curve, _ outline: JSONOutline, _ bytes: Span<UInt8>
  ) throws(CryptoError) -> String? {
    guard let secret = try Self.secret(outline, bytes, on: curve) else {
      return "its secret is not a number of up to \(8 * secretByteCount) bits"
    }
    do throws(CryptoError) {
      let point = try CurvePoint.multiplyBase(secret, on: curve)
      return ownPoint == nil || point == ownPoint ? nil : "its secret does not belong to its public point"
    } catch .invalidKey {
      return "its secret is zero modulo the order of \(curve.rawValue)"
    }
  }

  /// Returns the public point of a complete file's secret; nil without a scalar of the curve.
  static func point(_ bytes: Span<UInt8>, on curve: Curve) throws(CryptoError) -> [UInt8]? {
    guard let outline = try? JSONOutline(bytes, limit: TssLibCollector.byteCountLimit),
      let scalar = try secret(outline, bytes, on: curve)
    else { return nil }
    do throws(CryptoError) {
      return try CurvePoint.multiplyBase(scalar, on: curve)
    } catch .invalidKey {
      return nil
    }
  }

  /// Returns a complete file's secret scalar; nil without a number of up to 320 bits.
  ///
  /// Resharing adds the old parties' values and writes the sum unreduced, so it can be several times the
  /// order.
  static func secret(
    _ outline: JSONOutline, _ bytes: Span<UInt8>, on curve: Curve
  ) throws(CryptoError) -> SecretBytes? {
    guard let value = outline.member("Xi", of: outline.root, in: bytes), outline.kind(of: value) == .number,
      let number = try DecimalNumber.secret(
        bytes.extracting(outline.range(of: value)), byteCount: secretByteCount)
    else { return nil }
    return try CurveScalar.reduced(number, on: curve)
  }
}
