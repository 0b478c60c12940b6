public import FuekiArchive
public import FuekiWallet

/// The destination of a restored bundle: a new store, or files in open formats.
///
/// Its contents stay invisible until ``finish()`` returns. Dropping it before that removes them.
public protocol Destination: AnyObject {
  /// How many records of each section an earlier run of this restore has put there already; none in a new place.
  var staged: [Section: UInt64] { get }

  /// Prepares for the manifest's contents.
  func begin(_ manifest: Manifest, vaultID: VaultID) throws

  /// The public sides of the key shares that are there before anything is restored; none in a new place.
  ///
  /// Epochs and group keys are compared with these before the archive's shares are decrypted.
  func presentShares() throws -> [KeyShareDescriptor]

  /// Takes one section's records, in the archive's order, in ascending order of sections.
  ///
  /// - Returns: how many records were taken.
  func restore(_ records: SectionRecords) throws -> UInt64

  /// Receives the losses of a damaged archive, before ``finish()``.
  func note(_ losses: Losses)

  /// Checks everything it received, and puts all of it in place at once.
  func finish() throws
}

extension Destination {
  /// In a new place nothing is staged.
  public var staged: [Section: UInt64] { [:] }

  /// A new place has no shares.
  public func presentShares() throws -> [KeyShareDescriptor] { [] }

  /// A destination that has no place for it leaves it to the report.
  public func note(_ losses: Losses) {}
}

/// How many records of a section were read, and how many of them were handed on.
final class HandedRecords {
  private(set) var read: UInt64 = 0
  private(set) var chosen: UInt64 = 0

  func reset() { (read, chosen) = (0, 0) }

  func note(read: Int, chosen: Int) {
    self.read += UInt64(read)
    self.chosen += UInt64(chosen)
  }
}

/// An error that prevents placing something.
public enum PlaceError: Error, Equatable, Sendable {
  /// Something is in the way that differs.
  case wouldOverwrite(path: String)
  /// A data directory cannot be swapped for another.
  case notReplaceable(path: String, obstacle: Obstacle)
  /// The keychain read back has not the shares that were put in.
  case keychainDiffers

  /// Why a data directory cannot be swapped for another.
  public enum Obstacle: Hashable, Sendable {
    /// It is a symbolic link.
    case symbolicLink
    /// Another file system begins there.
    case mountPoint
    /// A wallet has its store open.
    case inUse
    /// Something else than files and directories is in it.
    case foreignEntry(name: String)
    /// The file system cannot swap two directories in one step.
    case noExchange
  }
}
