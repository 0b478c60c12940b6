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
