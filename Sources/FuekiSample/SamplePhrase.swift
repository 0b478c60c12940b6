/// The sample's seed phrase, from BIP-84's test vectors.
///
/// It is public: never fund it.
enum SamplePhrase {
  static let words =
    "abandon abandon abandon abandon abandon abandon abandon abandon abandon abandon abandon about"
  static let path = "m/84'/0'/0'"
  /// The first two receiving addresses.
  static let addresses = [
    "bc1qcr8te4kr609gcawutmrza0j4xv80jy8z306fyu", "bc1qnjg0jd8228aq7egyzacy8cys3knf9xvrerkf9g",
  ]

  private static let account =
    "xpub6CatWdiZiodmUeTDp8LT5or8nmbKNcuyvz7WyksVFkKB4RHwCD3XyuvPEbvqAQY3rAPshWcMLoP2fMFMKHPJ4ZeZXYVUhLv1VMrjPC7PW6V"

  /// Receiving and change, with the checksums of BIP-380.
  static let descriptors = [
    "wpkh([73c5da0a/84h/0h/0h]\(account)/0/*)#afwvtk2s", "wpkh([73c5da0a/84h/0h/0h]\(account)/1/*)#vatdkr6g",
  ]
}
