public import FuekiBackup
internal import FuekiCrypto

extension ShareEncoding {
  /// The whole file of tss-lib, with the scalar as a decimal number in it.
  public static let tssLib = ShareEncoding(name: TssLibShare.encoding) { secret, curve in
    try secret.bytes.withBytes { bytes in try TssLibShare.point(bytes, on: curve) }
  }

  /// Every encoding that can be read.
  public static let all: [ShareEncoding] =
    [.scalar, .tssLib] + vultisig + dkls + [frost, cggmp21] + multiPartySig
}
