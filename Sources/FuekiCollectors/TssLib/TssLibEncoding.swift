public import FuekiBackup
internal import FuekiCrypto
internal import FuekiWallet

extension ShareEncoding {
  /// The whole file of tss-lib, with the scalar as a decimal number in it.
  public static let tssLib = ShareEncoding(name: TssLibShare.encoding) { secret, curve in
    try secret.bytes.withBytes { bytes in
      do {
        let outline = try JSONOutline(bytes, limit: TssLibCollector.byteCountLimit)
        guard let scalar = try TssLibShare.secret(outline, bytes) else { return nil }
        return try CurvePoint.multiplyBase(scalar, on: curve)
      } catch is JSONError {
        return nil
      } catch CryptoError.invalidKey {
        return nil
      }
    }
  }

  /// Every encoding that can be read.
  public static let all: [ShareEncoding] = [.scalar, .tssLib]
}
