internal import FuekiBackup
internal import FoundationEssentials
internal import FuekiCrypto
internal import FuekiSystem
internal import FuekiWallet

extension CollectorKind {
  static let fuekiShare = CollectorKind(
    FuekiShareCollector.kind, "key shares of the Fueki app's second generation", reach: .folder,
    guide: .phones,
    recognises: { FuekiShareLayout($0) != nil }, read: FuekiShareCollector.read)
}

/// Collects key shares of the second-generation Fueki app, one per file.
///
///     u32 index ‖ u32 threshold ‖ u32 total ‖ u8 protocol ‖ u16 length ‖ share ‖ public key      (big-endian)
enum FuekiShareCollector {
  static let byteCountLimit = ImportLimits.shareByteCount
  static let kind = "fueki-share"

  /// Reads the files.
  static func read(_ source: KindSource, _ request: CollectionRequest) throws -> ImportedRecords {
    var records = ImportedRecords()
    let wantsSecrets = records.wants(.keyShares, request)
    guard wantsSecrets || records.wants(.keyShareDescriptors, request) else { return records }
    let files = SourceFiles(path: source.path, byteCountLimit: UInt64(Self.byteCountLimit))
    try files.forEach(into: &records) { found, records in
      let name = FileName.text(found.name)
      let bytes = try GuardedFile.bytes(of: found)
      let layout = bytes.withBytes { FuekiShareLayout($0) }
      guard let layout else {
        return records.exclude(name, "no key share of the Fueki app", loss: .possible)
      }
      let descriptor = layout.descriptor(name: name)
      guard !records.shares.contains(where: { $0.descriptor.id == descriptor.id }) else {
        return records.exclude(
          name, "a share of the same key and index as another file's", loss: .possible)
      }
      try records.keep(
        share: bytes, found, format: Self.kind, source: Self.kind, program: "fueki", request)
      for sentence in RecordValidation.problems(of: descriptor) {
        records.note("\(name): \(sentence)", .keyShareDescriptors, descriptor.id)
      }
      let share = SharedSecret(try bytes.copy(layout.share))
      try records.judge(descriptor, share, encodings: [], request, kind: Self.kind)
      if wantsSecrets {
        let secret = share
        records.shares.append(ImportedRecords.Share(descriptor: descriptor, secret: secret))
      } else {
        records.descriptors.append(descriptor)
      }
    }
    records.noteUnkeptShareFiles(request)
    if records.shares.isEmpty && records.descriptors.isEmpty {
      throw ForeignFileError.notThisFormat(reason: "no key share of the Fueki app is in \(source.path)")
    }
    return records
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
