internal import FuekiCrypto
internal import FuekiWallet

/// An item of a keychain.
struct KeychainItem: Sendable {
  enum Kind {
    static let keyShare: UInt8 = 1
    static let privateKey: UInt8 = 2
    static let endpointCredential: UInt8 = 4
    static let sealedFile: UInt8 = 5
  }

  let kind: UInt8
  /// 16 bytes.
  let id: [UInt8]
  /// The sealed content, in the layout of its kind.
  let content: SharedSecret
}
