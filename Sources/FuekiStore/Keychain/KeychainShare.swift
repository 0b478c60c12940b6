internal import FuekiArchive
public import FuekiCrypto
public import FuekiWallet
internal import SwiftProtobuf

/// A key share of a keychain, with its public part.
public struct KeychainShare: Sendable {
  /// The public part.
  public let descriptor: KeyShareDescriptor
  /// The secret bytes, in the descriptor's encoding.
  public let secret: SharedSecret

  init(descriptor: KeyShareDescriptor, secret: SharedSecret) {
    self.descriptor = descriptor
    self.secret = secret
  }

  /// Splits an item's content; nil if it is not a share.
  init?(_ item: KeychainItem) throws(CryptoError) {
    let content = item.content
    let end = content.bytes.withBytes { bytes -> Int? in
      guard bytes.count >= 4 else { return nil }
      let length = Int(bytes.littleEndian(UInt32.self, at: 0))
      return length <= bytes.count - 4 ? 4 + length : nil
    }
    guard let end else { return nil }
    let message = content.bytes.withBytes { $0.array(4..<end) }
    guard let descriptor = try? KeyShareDescriptor(serializedBytes: message) else { return nil }
    self.descriptor = descriptor
    secret = SharedSecret(try content.bytes.copy(end..<content.bytes.count))
  }

  /// Returns an item's content for a share.
  static func content(
    _ descriptor: KeyShareDescriptor, _ secret: borrowing SecretBytes
  ) throws -> SharedSecret {
    let message: [UInt8] = try descriptor.serializedBytes()
    var content = try SecretBytes(count: 4 + message.count + secret.count)
    secret.withBytes { secret in
      content.withMutableBytes { output in
        var head: [UInt8] = []
        head.append(littleEndian: UInt32(message.count))
        head += message
        output.write(head.span, at: 0)
        output.write(secret, at: head.count)
      }
    }
    return SharedSecret(content)
  }
}
