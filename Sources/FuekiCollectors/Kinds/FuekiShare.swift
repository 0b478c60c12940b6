internal import FoundationEssentials
internal import FuekiSources
internal import FuekiCrypto
internal import FuekiSystem
internal import FuekiWallet

extension CollectorKind {
  static let fuekiShare = CollectorKind(
    FuekiShareCollector.kind, "key shares of the Fueki app's second generation", reach: .folder,
    guide: .phones,
    limit: ImportLimits.shareByteCount, what: "key share of the Fueki app",
    recognises: { FuekiShareLayout($0) != nil }, look: FuekiShareCollector.look)
}

/// Key shares of the second-generation Fueki app, one per file.
///
///     u32 index ‖ u32 threshold ‖ u32 total ‖ u8 protocol ‖ u16 length ‖ share ‖ public key      (big-endian)
enum FuekiShareCollector {
  static let kind = "fueki-share"

  static func look(at found: borrowing FoundFile, _ asked: Asked) throws -> Look {
    let bytes = try found.bytes()
    guard let layout = bytes.withBytes({ FuekiShareLayout($0) }) else {
      return .other(reason: "it is no key share of the Fueki app")
    }
    var kept = Kept(format: kind)
    kept.program = "fueki"
    kept.shares = [
      try FoundShare(
        judging: layout.descriptor(name: found.nameText), SharedSecret(try bytes.copy(layout.share)),
        encodings: [], asked)
    ]
    return .wallet(kept)
  }
}

/// The layout of a key share's bytes.
struct FuekiShareLayout {
  let index: UInt32
  let threshold: UInt32
  let total: UInt32
  let curve: Curve
  let share: Range<Int>
  let publicKey: [UInt8]

  private static let headByteCount = 15

  /// Parses a complete file; nil for anything else.
  init?(_ bytes: Span<UInt8>) {
    guard bytes.count > Self.headByteCount else { return nil }
    func number(_ offset: Int, _ count: Int) -> UInt32 {
      (0..<count).reduce(0) { $0 << 8 | UInt32(bytes[offset + $1]) }
    }
    (index, threshold, total) = (number(0, 4), number(4, 4), number(8, 4))
    guard 1...1000 ~= total, 1...total ~= threshold, index <= total else { return nil }
    switch bytes[12] {
    case 1: curve = .secp256k1
    case 2: curve = .p256
    case 3: curve = .ed25519
    default: return nil
    }
    let end = Self.headByteCount + Int(number(13, 2))
    guard end > Self.headByteCount, end < bytes.count else { return nil }
    share = Self.headByteCount..<end
    let key = (end..<bytes.count).map { bytes[$0] }
    guard let point = Self.point(key, on: curve) else { return nil }
    publicKey = point
  }

  func descriptor(name: String) -> KeyShareDescriptor {
    var descriptor = KeyShareDescriptor()
    var party: [UInt8] = []
    for shift in stride(from: 24, through: 0, by: -8) {
      party.append(UInt8(truncatingIfNeeded: index >> shift))
    }
    descriptor.id = TssLibShare.id(groupKey: publicKey, partyID: party)
    descriptor.curve = curve.rawValue
    // Only the last share's index reveals whether the app counted from 0 or 1.
    if index < total { descriptor.partyIndex = index }
    descriptor.threshold = threshold
    descriptor.total = total
    descriptor.groupPublicKey = Data(publicKey)
    descriptor.encoding = FuekiShareCollector.kind
    descriptor.name = name
    descriptor.extra = [Extra("index", json: "\(index)")]
    return descriptor
  }

  /// Returns the compressed point of a key in any of its encodings; nil for other bytes.
  private static func point(_ key: [UInt8], on curve: Curve) -> [UInt8]? {
    if CurvePoint.isValid(key, on: curve) { return key }
    let coordinates = key.count == 65 && key[0] == 4 ? Array(key.dropFirst()) : key
    guard curve != .ed25519, coordinates.count == 64 else { return nil }
    return try? CurvePoint.compressed(
      x: Array(coordinates.prefix(32)), y: Array(coordinates.suffix(32)), on: curve)
  }
}
