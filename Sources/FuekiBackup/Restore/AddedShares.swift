/// Shares in a keychain that may still be written on another thread, and is then compared with the archive.
///
/// A keychain derives a key from its passphrase twice, once to be written and once to be read back. That took a fifth
/// of a large restore.
final class AddedShares {
  /// For a restore without a keychain, or if an earlier run has compared it.
  static var none: AddedShares { AddedShares(nil) {} }

  private var keychain: (any KeychainAccess)?
  private let compare: () throws -> Void

  /// - Parameters:
  ///   - keychain: the keychain that is being written.
  ///   - compare: compares every share in it with the archive's, once it is written.
  init(_ keychain: (any KeychainAccess)?, comparing compare: @escaping () throws -> Void) {
    self.keychain = keychain
    self.compare = compare
  }

  /// Does as much of ``confirm()`` as needs no waiting.
  func continueConfirming() throws {
    if try keychain?.continueWriting() == true { try confirm() }
  }

  /// Waits until the keychain is read back, and compares every share in it, unless that is done.
  ///
  /// - Throws: ``PlaceError/keychainDiffers``; errors from the keychain and from reading the archive.
  func confirm() throws {
    guard let keychain else { return }
    try keychain.finishWriting()
    try compare()
    try keychain.confirm()
    self.keychain = nil
  }
}
