internal import FuekiCrypto
internal import FuekiWallet

/// The name of a share: its owner's name for it, and the id that never changes.
public struct ShareName: Hashable, Sendable {
  /// 16 bytes.
  public let id: [UInt8]
  /// The name that its owner or its source uses; may be empty.
  public let text: String

  init(_ descriptor: KeyShareDescriptor) {
    id = [UInt8](descriptor.id)
    text = descriptor.name
  }

  /// The owner's name, or else the beginning of the id.
  public var short: String { text.isEmpty ? String(Hex.encode(id).prefix(8)) : text }
}
