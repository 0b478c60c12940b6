internal import FoundationEssentials
internal import FuekiCrypto
internal import FuekiWallet

/// A key share file of tss-lib, described.
package struct TssLibShare {
  static let encoding = "tss-lib"
  private static let secretByteCount = 40

  let descriptor: KeyShareDescriptor
  /// What is wrong with the share, which is kept all the same.
  let problems: [String]
  /// What is wrong with its public side, and with the moduli that belong to it.
  let publicProblems: [String]
  /// Whether its Paillier key or another modulus of its own is not what the file says of it elsewhere.
  let hasWrongModuli: Bool

  /// Why a file is not described.
  package enum Refusal: Error, Equatable {
    /// It is something else.
    case otherFile(reason: String)
    /// It begins as a share, but is not whole.
    case damaged(reason: String)
  }

  /// Describes a whole file; its secret numbers leave the span for protected memory only.
  ///
  /// - Throws: ``Refusal``, or what making a ``SecretBytes`` throws.
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

  /// Names a share by the key and the party that it belongs to, so that it has the same id in every backup.
  ///
  /// The file does not say its epoch, so a refreshed share has the id of the one that it replaces: a restore then
  /// sees that they differ, instead of mixing two epochs.
  static func id(groupKey: [UInt8], partyID: [UInt8], epoch: UInt64 = 0) -> Data {
    let epochBytes = stride(from: 0, to: 64, by: 8).map { UInt8(truncatingIfNeeded: epoch >> $0) }
    let digest = SHA256.hash(Array("fueki/1 share id".utf8), groupKey, partyID, epochBytes)
    return Data(digest.bytes.prefix(16))
  }

  /// Compares the secret's public point with the one that the file declares.
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

  /// The public point of a whole file's secret; nil where it holds no scalar of the curve.
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

  /// The secret scalar of a whole file's bytes; nil where there is no number of up to 320 bits.
  ///
  /// A resharing adds up what the old parties send and writes the sum as it is: it can be several times the order.
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
