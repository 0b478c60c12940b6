/// Publicly known keys: those of BIP-32's first test vector, encoded for a test network.
package enum TestKeys {
  package static let privateKey =
    "tprv8ZgxMBicQKsPeDgjzdC36fs6bMjGApWDNLR9erAXMs5skhMv36j9MV5ecvfavji5khqjWaWSFhN3YcCUUdiKH6isR4Pwy3U5y5egddBr16m"
  package static let publicKey =
    "tpubD6NzVbkrYhZ4XgiXtGrdW5XDAPFCL9h7we1vwNCpn8tGbBcgfVYjXyhWo4E1xkh56hjod1RhGjxbaTLV3X4FyWuejifB9jusQ46QzG87VKp"
  /// Descriptors of both keychains, without checksums.
  package static let descriptors = ["wpkh(\(publicKey)/0/*)", "wpkh(\(publicKey)/1/*)"]
}
