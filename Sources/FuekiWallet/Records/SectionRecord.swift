public import FoundationEssentials
internal import FuekiCrypto
public import SwiftProtobuf

/// A record that stands in one section of a bundle, and that the store keeps.
public protocol SectionRecord: SwiftProtobuf.Message, Sendable {
  /// What is known of records of this type.
  static var kind: RecordKind { get }
  /// The record's own id, which only tells which one it is; a setting's is its key.
  var id: Data { get set }
  /// When it was last changed, as far as it says; in microseconds since 1970.
  var lastChange: Int64? { get }
  /// What stands for it where ids differ; nil where nothing does.
  var naturalKey: NaturalKey? { get }
  /// What people call it and pay it by; nil of records that nobody pays.
  var payee: (name: String, address: Data)? { get }
}

extension SectionRecord {
  /// The section that holds records of this type.
  public static var section: Section { kind.section }
  /// Nothing: most records are told apart by their ids alone.
  public var naturalKey: NaturalKey? { nil }
  /// Nobody.
  public var payee: (name: String, address: Data)? { nil }
}

/// What tells that two records of different ids are the same thing nevertheless.
public struct NaturalKey: Hashable, Sendable {
  let parts: [Data]
}

extension NaturalKey {
  /// An address on a chain; nil without one.
  init?(family: String, chain: String, address: Data) {
    guard !address.isEmpty else { return nil }
    parts = [Data(family.utf8), Data(chain.utf8), Self.caseless(address)]
  }

  /// An address without what only shows in the case of its letters: a checksum that is right or wrong, and capitals
  /// where small letters mean the same.
  public static func caseless(_ address: Data) -> Data {
    switch address.first.flatMap(PackedText.Form.init) {
    case .checksummedAddress: return Data([PackedText.Form.prefixedHex.rawValue]) + address.dropFirst()
    case .utf8:
      guard let text = PackedText.text(address) else { return address }
      let small = text.lowercased()
      let isHexadecimal =
        small.utf8.count == 42 && small.hasPrefix("0x") && Hex.decode(small.dropFirst(2)) != nil
      return isHexadecimal || (try? Bech32(text)) != nil ? PackedText.pack(small) : address
    case .prefixedHex, .bareHex, .upperCaseUUID, .lowerCaseUUID, nil: return address
    }
  }
}
