internal import FuekiArchive
public import FuekiCrypto
public import FuekiWallet

/// The keychain that a restore fills.
///
/// It is written once, read back, and compared share by share, before the destination is put in place.
public protocol KeychainAccess: AnyObject {
  /// The number of secrets by section that an earlier run of this restore has written there and compared; nil if none
  /// has.
  var staged: [Section: UInt64]? { get }
  /// Takes a key share straight into the keychain's seal.
  func add(share descriptor: KeyShareDescriptor, secret: borrowing SecretBytes) throws
  /// Takes one record of section 65 or 66, as encoded by hand.
  func add(secretRecord: borrowing SecretBytes, of section: Section) throws
  /// Starts to write the keychain and to read it back from the disk, which ``finishWriting()`` ends.
  func write() throws
  /// Continues as far as that needs no waiting.
  ///
  /// - Returns: whether the keychain is written and read back.
  func continueWriting() throws -> Bool
  /// Waits until the keychain is written and read back.
  ///
  /// - Throws: the errors of both.
  func finishWriting() throws
  /// Returns whether the keychain, read back, holds this very share.
  func holds(share id: [UInt8], secret: borrowing SecretBytes) throws -> Bool
  /// Learns that all shares, read back, are the archive's.
  func confirm() throws
}

extension KeychainAccess {
  /// A new keychain is still to be written.
  public var staged: [Section: UInt64]? { nil }

  /// For a keychain that ``write()`` writes completely.
  public func continueWriting() throws -> Bool { true }

  /// For a keychain that ``write()`` writes completely.
  public func finishWriting() throws {}

  /// For a keychain that keeps no record of it.
  public func confirm() throws {}
}

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
