extension CollectorKind {
  /// Multisig coordinators' files, and descriptors.
  static let multisig = CollectorKind(
    MultisigCollector.kind,
    "files of coordinators (BSMS, Coldcard, Caravan, Specter, Liana, .bed), and descriptors", reach: .tree,
    recognises: { MultisigCollector.isLikely($0) },
    make: { path, passphrase, copying in
      MultisigCollector(path: path, passphrase: passphrase, copying: copying)
    })
}
