/// An extended key's prefix, which states its networks and its address type.
///
/// See BIP-32 and SLIP-132.
public struct ExtendedKeyVersion: Hashable, Sendable {
  /// The address type of a version.
  public enum Script: Sendable {
    /// Unspecified, as for `xpub` and `tpub`.
    case any
    /// P2WPKH.
    case segwit
    /// P2WPKH in P2SH.
    case nestedSegwit
    /// A key of a P2WSH multisig.
    case multisig
    /// A key of a P2WSH multisig nested in P2SH.
    case nestedMultisig
  }

  /// The four bytes before a public key, as a big-endian number.
  public let publicPrefix: UInt32
  /// The four bytes before a private key.
  let privatePrefix: UInt32
  /// The key's first four characters.
  public let name: String
  /// Whether it is for test networks.
  public let isTest: Bool
  /// The address type.
  public let script: Script

  /// `xpub`, for any script on the main network.
  public static let main = ExtendedKeyVersion(
    publicPrefix: 0x0488_b21e, privatePrefix: 0x0488_ade4, name: "xpub", isTest: false, script: .any)
  /// `tpub`, for any script on test networks.
  public static let test = ExtendedKeyVersion(
    publicPrefix: 0x0435_87cf, privatePrefix: 0x0435_8394, name: "tpub", isTest: true, script: .any)

  /// All known versions.
  public static let all = [
    main, test,
    ExtendedKeyVersion(
      publicPrefix: 0x049d_7cb2, privatePrefix: 0x049d_7878, name: "ypub", isTest: false,
      script: .nestedSegwit),
    ExtendedKeyVersion(
      publicPrefix: 0x044a_5262, privatePrefix: 0x044a_4e28, name: "upub", isTest: true,
      script: .nestedSegwit),
    ExtendedKeyVersion(
      publicPrefix: 0x04b2_4746, privatePrefix: 0x04b2_430c, name: "zpub", isTest: false, script: .segwit),
    ExtendedKeyVersion(
      publicPrefix: 0x045f_1cf6, privatePrefix: 0x045f_18bc, name: "vpub", isTest: true, script: .segwit),
    ExtendedKeyVersion(
      publicPrefix: 0x0295_b43f, privatePrefix: 0x0295_b005, name: "Ypub", isTest: false,
      script: .nestedMultisig),
    ExtendedKeyVersion(
      publicPrefix: 0x0242_89ef, privatePrefix: 0x0242_85b5, name: "Upub", isTest: true,
      script: .nestedMultisig),
    ExtendedKeyVersion(
      publicPrefix: 0x02aa_7ed3, privatePrefix: 0x02aa_7a99, name: "Zpub", isTest: false, script: .multisig),
    ExtendedKeyVersion(
      publicPrefix: 0x0257_5483, privatePrefix: 0x0257_5048, name: "Vpub", isTest: true, script: .multisig),
  ]

  /// `xpub` or `tpub`, as used in descriptors.
  public var standard: ExtendedKeyVersion { isTest ? .test : .main }
}

extension BitcoinNetwork {
  /// Whether this is a test network, whose extended keys start with `tpub`.
  public var isTest: Bool { keyHashVersion == 111 }
}
