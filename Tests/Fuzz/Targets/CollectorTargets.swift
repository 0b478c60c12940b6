internal import FuekiCollectors

extension FuzzTarget {
  /// A key share file of tss-lib.
  static let tssLib = FuzzTarget("tss-lib") { bytes in
    _ = try TssLibShare(bytes.span, name: "share.json", byteCountLimit: 4 << 20)
  }

  /// A Web3 Secret Storage file.
  static let keystore = FuzzTarget("keystore") { bytes in
    _ = KeystoreDescription(bytes, name: Array("key.json".utf8))
  }

  /// The Fueki app's bundle.
  static let fuekiApp = FuzzTarget("fueki-app") { bytes in
    _ = try FuekiAppBundle(bytes, byteCountLimit: 1 << 20)
  }
}
