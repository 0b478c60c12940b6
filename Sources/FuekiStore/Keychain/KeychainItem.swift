internal import FuekiArchive
public import FuekiCrypto
public import FuekiWallet
internal import SwiftProtobuf

/// One thing that a keychain holds.
struct KeychainItem: Sendable {
  enum Kind {
    static let keyShare: UInt8 = 1
    static let privateKey: UInt8 = 2
    static let secretFile: UInt8 = 3
    static let endpointCredential: UInt8 = 4
    static let sealedFile: UInt8 = 5
  }

  let kind: UInt8
  /// 16 bytes; the parts of a file share theirs.
  let id: [UInt8]
  /// What is sealed, as the layout says for the kind.
  let content: SharedSecret
}

/// A key share of a keychain, with its public side.
public struct KeychainShare: Sendable {
  /// The public side.
  public let descriptor: KeyShareDescriptor
  /// The secret bytes, in the descriptor's encoding.
  public let secret: SharedSecret

  init(descriptor: KeyShareDescriptor, secret: SharedSecret) {
    self.descriptor = descriptor
    self.secret = secret
  }

  /// Takes an item's content apart; nil where it is no share.
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

  /// An item's content for a share.
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
