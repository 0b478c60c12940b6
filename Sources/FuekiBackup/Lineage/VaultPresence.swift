public import FuekiArchive
internal import FuekiCrypto
internal import FuekiSystem
internal import FuekiWallet

/// How much of the newest archive of a vault is on this machine.
///
/// A passphrase proves that an archive is its owner's, and not that this machine made it: people use one passphrase on two
/// machines. What lies here tells the two apart.
public enum VaultPresence: Equatable, Sendable {
  /// All of it, or more. It is not certain if a file is too short to be told from another: no key is as short.
  case all(isCertain: Bool)
  /// Some of it, and these things are not here.
  case some(lacking: [String])
  /// Nothing of it, or it cannot be told.
  case none
}

extension VaultPresence {
  /// Compares the things that an archive has with those that the sources have now.
  ///
  /// - Parameters:
  ///   - archived: the archive's; nil if they could not be read.
  ///   - here: those of the sources.
  ///   - isComplete: whether every source could be looked at.
  init(of archived: Inventory?, among here: [Holding], isComplete: Bool) {
    guard let archived else {
      self = .none
      return
    }
    let now = HoldingIndex(here)
    // As if this machine had made it: the question is whether it did.
    let things = archived.present.map { $0.of(nil) }
    let moves = FileMoves(to: here, since: HoldingIndex(things))
    var lacking: [String] = []
    var (found, same) = (0, 0)
    for thing in things {
      let isMoved = moves[thing] != nil
      switch now[thing].map(thing.likeness) {
      case .same: (found, same) = (found + 1, same + 1)
      case nil where isMoved, .otherKey where isMoved: (found, same) = (found + 1, same + 1)
      // A place alone proves nothing: each machine has its own wallet there.
      case .other: (found, lacking) = (found + 1, lacking + ["\(thing.title) as it was"])
      case .unknown: found += 1
      case nil, .otherKey: lacking.append(thing.title)
      }
    }
    guard !lacking.isEmpty else {
      self = .all(isCertain: same == found)
      return
    }
    self = found > 0 && isComplete ? .some(lacking: lacking) : .none
  }
}

/// A vault in the targets that only the passphrase proves to be the user's, of which not everything is on this machine.
public struct VaultElsewhere: Equatable, Sendable {
  /// The vault.
  public let id: VaultID
  /// The number of its newest archive that the passphrase opens; nil if its contents could not be read.
  public let sequence: UInt64?
  /// The name of the machine that made it; empty if it is unknown.
  public let device: String
  /// When it was made, in seconds since 1970, by that machine's clock.
  public let created: UInt64?
  /// How much of it is here; nil if nobody has looked.
  public let presence: VaultPresence?

  package init(
    id: VaultID, sequence: UInt64?, device: String, created: UInt64?, presence: VaultPresence?
  ) {
    (self.id, self.sequence, self.device) = (id, sequence, device)
    (self.created, self.presence) = (created, presence)
  }
}

extension RecognizedVault {
  /// The vault as one that another machine may have made.
  ///
  /// - Parameter archives: the archives in the targets.
  /// - Returns: the vault, of which nobody has looked how much is here.
  public func elsewhere(among archives: [StoredArchive]) -> VaultElsewhere {
    VaultElsewhere(id, accepted, among: archives, presence: nil)
  }
}

extension VaultElsewhere {
  init(_ id: VaultID, _ recognized: VaultState?, among archives: [StoredArchive], presence: VaultPresence?) {
    let link = recognized?.inventory?.archive
    self.init(
      id: id, sequence: link?.sequence, device: recognized?.device ?? "",
      created: archives.first { $0.statedDigest.hex == link?.digest }?.facts.created, presence: presence)
  }
}

/// The vault that an owner wants a machine to back up to.
public enum VaultChoice: Equatable, Sendable {
  /// One of its own.
  case new
  /// One that has archives already, on this machine or another.
  case existing(VaultID)
}

/// A question about the vault that the next archive belongs to.
public enum VaultQuestion: Equatable, Sendable {
  /// The targets have archives of these vaults, and nothing shows that they are the user's.
  case others([VaultID])
  /// The passphrase opens the archives of this one, and another machine may have made them.
  case elsewhere(VaultElsewhere)
}

extension BackupRun {
  /// The things of worth that the sources have now, and whether every source could be looked at.
  func thingsHere() throws -> (things: [Holding], areComplete: Bool) {
    while true {
      let bundle = try collect(isFirst: false)
      do {
        _ = try bundle.fingerprint()
      } catch  where request.changes.beginsAgain(after: error) {
        continue
      }
      try report(.compared)
      return (bundle.holdings.whole, bundle.reports.allSatisfy(\.complete))
    }
  }
}
