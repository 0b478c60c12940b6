public import FuekiWallet

/// A record that is there already, and that the archive has otherwise.
public struct RestoreConflict: Equatable, Sendable {
  /// The resolution of a conflict.
  public enum Resolution: String, Sendable {
    /// Nothing: the restore changes nothing.
    case none
    /// The existing record is kept.
    case kept
    /// The archive's took its place.
    case replaced
    /// The existing record is kept, with the more advanced sync state.
    case advanced
    /// The archive's record was added under another name and id.
    case renamed
  }

  /// An address of a contact or wallet that differs from the archive's: a payment would go to another recipient.
  public struct Address: Equatable, Sendable {
    /// The name of the existing contact or wallet.
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
  /// The names of the fields that differ, without their values except for ``address``.
  public let fields: [String]
  /// The resolution of the conflict.
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
