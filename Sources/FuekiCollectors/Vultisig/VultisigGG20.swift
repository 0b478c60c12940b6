internal import FuekiBackup
internal import FuekiCrypto
internal import FuekiWallet

/// A share of a vault's first scheme: JSON around tss-lib's data.
struct VultisigGG20 {
  static let encoding = "vultisig-gg20"

  var side: SharePublicSide
  /// The secret's public point; nil without a scalar of the curve, or if it cannot sign.
  let point: [UInt8]?
  let party: String?
  let chainCode: String

  /// Describes a complete text; nil for other JSON.
  init?(_ text: Span<UInt8>, name: String) throws {
    guard let outline = try? JSONOutline(text, limit: ImportLimits.tssShareByteCount),
      let data = Self.data(outline, text)
    else { return nil }
    let share: TssLibShare
    do {
      share = try TssLibShare(
        text.extracting(data), name: name, byteCountLimit: ImportLimits.tssShareByteCount)
    } catch is TssLibShare.Refusal {
      return nil
    }
    func string(_ name: String) -> String? {
      outline.member(name, of: outline.root, in: text).flatMap { outline.string($0, in: text) }
    }
    party = string("local_party_key")
    chainCode = string("chain_code_hex") ?? ""
    side = SharePublicSide(share.descriptor, encoding: Self.encoding)
    if let prefix = string("reshare_prefix"), !prefix.isEmpty {
      side.extra.append(Extra("reshare_prefix", json: JSONText.quoted(prefix)))
    }
    let curve = Curve(rawValue: share.descriptor.curve) ?? .secp256k1
    // With another party's moduli, the scalar alone cannot sign.
    point = share.hasWrongModuli ? nil : try Self.point(text, on: curve)
  }

  /// Returns the public point of a complete text's secret; nil without one.
  static func point(_ text: Span<UInt8>, on curve: Curve) throws(CryptoError) -> [UInt8]? {
    guard let outline = try? JSONOutline(text, limit: ImportLimits.tssShareByteCount),
      let data = data(outline, text)
    else { return nil }
    return try TssLibShare.point(text.extracting(data), on: curve)
  }

  /// Returns the range of tss-lib's data.
  ///
  /// One of the two members is empty.
  private static func data(_ outline: JSONOutline, _ text: Span<UInt8>) -> Range<Int>? {
    for name in ["ecdsa_local_data", "eddsa_local_data"] {
      guard let value = outline.member(name, of: outline.root, in: text),
        let secret = outline.member("Xi", of: value, in: text), outline.kind(of: secret) == .number
      else { continue }
      return outline.range(of: value)
    }
    return nil
  }
}
