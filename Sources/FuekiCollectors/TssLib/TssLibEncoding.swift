public import FuekiBackup
internal import FuekiCrypto

extension ShareEncoding {
  /// A complete tss-lib file, which contains the scalar as a decimal number.
  public static let tssLib = ShareEncoding(name: TssLibShare.encoding) { secret, curve in
    try secret.bytes.withBytes { bytes in try TssLibShare.point(bytes, on: curve) }
  }

  /// Every supported encoding.
  public static let all: [ShareEncoding] =
    [.scalar, .tssLib] + vultisig + dkls + [frost, cggmp21] + multiPartySig
}
