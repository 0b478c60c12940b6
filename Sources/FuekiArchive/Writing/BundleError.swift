public import FuekiCrypto

/// A writer's error about its input.
public enum BundleError: Error, Equatable {
  /// A record exceeds the format's 16 MiB.
  case recordTooLarge(bytes: Int)
  /// Sections are not in ascending order, or repeated.
  case sectionOrder(UInt16)
  /// The manifest's length is not the reserved one.
  case manifestLength(reserved: Int, given: Int)
  /// There is no slot, or more than readers accept: 32, of which 4 are for passphrases.
  case slotCount(Int)
  /// A passphrase's key derivation exceeds the limits of readers.
  case derivationCost(Argon2id.Cost)
  /// The header's fields, including the slots, exceed 64 KiB.
  case headerTooLarge(bytes: Int)
  /// No slot opens these scopes, so they would be lost.
  case closedScopes([ArchiveScope])
  /// The archive would exceed 1 TiB.
  case archiveTooLarge
}
