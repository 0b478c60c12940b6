internal import FuekiCrypto
internal import FuekiSystem

/// A file of the program below a prefix, with its contents.
struct InstalledFile {
  /// Its path below the prefix.
  let path: String
  let bytes: [UInt8]
  let permissions: UInt16

  var digest: Digest { SHA256.hash(bytes) }
}
