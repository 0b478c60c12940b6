/// What an extended key's first characters say: which networks it is for, and what its addresses are.
///
/// See BIP-32 and SLIP-132.
public struct ExtendedKeyVersion: Hashable, Sendable {
  /// The output scripts that a version stands for.
  public enum Script: Sendable {
    /// None in particular: what `xpub` and `tpub` say.
    case any
    /// P2WPKH.
    case segwit
    /// P2WPKH in P2SH.
    case nestedSegwit
    /// One of several keys of a P2WSH script.
    case multisig
    /// One of several keys of a P2WSH script in P2SH.
    case nestedMultisig
  }

  /// The four bytes before a public key, as a big-endian number.
  public let publicPrefix: UInt32
  /// The four bytes before a private key.
  public let privatePrefix: UInt32
  /// What its first four characters are.
  public let name: String
  /// Whether it is for test networks.
  public let isTest: Bool
  /// What its addresses are.
  public let script: Script

  /// `xpub`, for any script on the main network.
  public static let main = ExtendedKeyVersion(
    publicPrefix: 0x0488_b21e, privatePrefix: 0x0488_ade4, name: "xpub", isTest: false, script: .any)
  /// `tpub`, for any script on test networks.
  public static let test = ExtendedKeyVersion(
    publicPrefix: 0x0435_87cf, privatePrefix: 0x0435_8394, name: "tpub", isTest: true, script: .any)

  /// Every version that is known.
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

  /// `xpub` or `tpub`, which descriptors are written with.
  public var standard: ExtendedKeyVersion { isTest ? .test : .main }
}

extension BitcoinNetwork {
  /// Whether this is a test network, whose extended keys begin with `tpub`.
  public var isTest: Bool { keyHashVersion == 111 }
}
