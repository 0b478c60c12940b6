public import FuekiWallet

/// What a restore does with a record that is there already and says something else.
public enum ConflictPolicy: String, CaseIterable, Sendable {
  /// Changes nothing at all, and lists every such record.
  case fail
  /// Keeps what is there.
  case skip
  /// Takes the one that was changed last; keeps what is there where the times do not tell.
  case newer
  /// Takes the archive's.
  case replace
  /// Keeps what is there, and adds the archive's wallets and contacts beside it under other names.
  case rename
}

/// A record that is there already, and that the archive has otherwise.
public struct RestoreConflict: Equatable, Sendable {
  /// What was done about it.
  public enum Resolution: String, Sendable {
    /// Nothing: the restore changes nothing.
    case none
    /// What was there is kept.
    case kept
    /// The archive's took its place.
    case replaced
    /// What was there is kept, with the sync state that is further on.
    case advanced
    /// The archive's was added beside it, under another name and id.
    case renamed
  }

  /// The address of a contact or a wallet that the archive has otherwise: whoever pays by it would pay someone else.
  public struct Address: Equatable, Sendable {
    /// What the contact or wallet is called where it is there.
    public let name: String
    /// The address that is there.
    public let there: String
    /// The archive's.
    public let archived: String

    /// Describes two addresses.
    public init(name: String, there: String, archived: String) {
      self.name = name
      self.there = there
      self.archived = archived
    }
  }

  /// The record's section.
  public let section: Section
  /// Its id as people read it; a setting's key, or a file's path.
  public let id: String
  /// The names of the fields that differ; but for ``address``, never what they say.
  public let fields: [String]
  /// What was done about it.
  public let resolution: Resolution
  /// Both addresses, where they differ.
  public let address: Address?

  /// Describes a conflict.
  public init(
    section: Section, id: String, fields: [String], resolution: Resolution, address: Address? = nil
  ) {
    self.section = section
    self.id = id
    self.fields = fields
    self.resolution = resolution
    self.address = address
  }
}

/// A contact that is new, and is called as one that is there who is paid by another address.
public struct Namesake: Equatable, Sendable {
  /// The new contact's id as people read it.
  public let id: String
  /// What the contact that is there is called, its address, and that of the new one.
  public let address: RestoreConflict.Address

  /// Describes a contact.
  public init(id: String, address: RestoreConflict.Address) {
    self.id = id
    self.address = address
  }
}

/// How many records of a section a merge took, and how.
public struct MergeCounts: Equatable, Sendable {
  /// New ones.
  public var added: UInt64 = 0
  /// Those that were there, just so.
  public var equal: UInt64 = 0
  /// Those that were there and differed, whatever was done about them.
  public var differing: UInt64 = 0

  /// None yet.
  public init() {}

  /// All of them.
  public var all: UInt64 { added + equal + differing }
}

/// What a merge came to, or would come to.
public struct MergeReport: Equatable, Sendable {
  /// How many records of each section.
  public var counts: [Section: MergeCounts] = [:]
  /// Every record that differs.
  public var conflicts: [RestoreConflict] = []
  /// Every new contact who may be taken for one that is there.
  public var namesakes: [Namesake] = []
  /// Where the data directory as it was before is kept; nil where nothing has changed.
  public var previous: String?

  /// Nothing yet.
  public init() {}

  /// Whether the data directory stays as it is.
  public var changesNothing: Bool {
    counts.values.allSatisfy { $0.added == 0 }
      && conflicts.allSatisfy { $0.resolution == .none || $0.resolution == .kept }
  }
}
