public import FuekiSystem

/// Why an archive cannot be used, as the verdicts of fueki-archive(5).
///
/// *Older than known* and *forked* are not here: they compare an archive with what the caller knows.
public enum ArchiveError: Error, Equatable {
  /// Neither header's magic is there.
  case notAnArchive
  /// The file ends before the archive does.
  case incomplete
  /// A digest does not hold, or bytes are where none belong.
  case damaged(Damage)
  /// The file was made by a newer version.
  case tooNew(Newness)
  /// A trusted signer was asked for.
  case untrusted(SignerProblem)
  /// No slot opens with what the caller has.
  case wrongSecret
  /// Guardians' shares were given, and are too few.
  case tooFewShares(GuardianShortfall)
  /// An age plugin's identity was given, nothing else opens the archive, and the plugin opens no slot.
  case pluginFailed(PluginFailure)
  /// A number in the file is beyond the format's limits.
  case overLimit(Limit)
  /// The digests hold and another rule does not.
  case forged(BrokenRule)
  /// The archive is whole, and what its history takes from another archive is not at hand.
  case baseMissing(BaseReference)
  /// The archive is whole, and the archive that its history builds on is not.
  indirect case inBase(BaseReference, ArchiveError)
  /// The file could not be read.
  case unreadable(SystemError)
  /// The machine cannot do what opening needs, such as allocating the key derivation's memory.
  case outOfMemory

  /// Whether only the history's base is wrong or missing: all but the history is in the archive whole.
  public var isOfBase: Bool {
    switch self {
    case .baseMissing, .inBase: true
    default: false
    }
  }

  /// What was found damaged, by the part of the file.
  public enum Damage: Hashable, Sendable {
    /// No header is whole, or the lengths fit no archive.
    case structure
    /// The header at the file's start; its copy serves.
    case firstHeader
    /// The header's copy near the file's end.
    case headerCopy
    /// The first trailer; its copy serves.
    case firstTrailer
    /// The trailer's copy at the file's end.
    case trailerCopy
    /// A byte that must be zero is not.
    case reservedBytes
    /// `count` bytes follow a whole archive.
    case trailingBytes(count: UInt64)
    /// Chunk `chunk`, counted from 0 within its stream.
    case chunk(stream: ArchiveScope, chunk: UInt64)
    /// The leaf table's entry for chunk `chunk`, while the chunk itself is whole.
    case leaf(stream: ArchiveScope, chunk: UInt64)
    /// The leaf root in the trailer.
    case leafRoot
    /// The archive digest in the trailer.
    case archiveDigest

    /// Whether reading ends here: only where one of two copies is whole does it go on.
    var stopsReader: Bool {
      switch self {
      case .firstHeader, .headerCopy, .firstTrailer, .trailerCopy: false
      default: true
      }
    }
  }

  /// What a newer version brought that this one does not know.
  public enum Newness: Hashable, Sendable {
    /// The format's major version.
    case major(UInt16)
    /// A critical header field.
    case field(tag: UInt16)
    /// The suite of algorithms.
    case suite(UInt16)
  }

  /// What is wrong with the signature that the caller asked for.
  public enum SignerProblem: Hashable, Sendable {
    /// The archive names no signer.
    case unsigned
    /// The archive names a signer who is not among the trusted ones.
    case another
    /// A trusted signer is named and the signature is not theirs.
    case signatureFails
    /// A trusted signer's signature holds, but the leaf table that ties the chunks to it is damaged.
    case chunksUnproven
  }

  /// A limit of fueki-archive(5).
  public enum Limit: Hashable, Sendable {
    case archiveLength
    case headerLength
    case slotCount
    case passphraseSlots
    case pluginSlots
    case derivationMemory(kibibytes: UInt32)
    case derivationPasses(UInt32)
    case derivationTotal
    case indexLength
    case blockLength
    case recordLength
    case window
    case columnForm
    case plaintext
    case changes
  }

  /// A rule of the format that does not hold although the digests do.
  public enum BrokenRule: Hashable, Sendable {
    case tooShort
    case version
    case padding
    case headerFields
    /// The header names a base that the archive cannot have.
    case base
    /// The record of changes is missing, doubled or malformed, or stands in a full archive.
    case changes
    /// The named base is of another vault or sequence than stated, or no full archive.
    case otherBase
    /// Archive and base do not give the section that the changes announce.
    case result(section: UInt16)
    case slot(Int)
    case signature
    case slotsDisagree
    case confirmation(ArchiveScope)
    case seal(ArchiveScope)
    case chunkTag(stream: ArchiveScope, chunk: UInt64)
    case index(ArchiveScope)
    case fill(ArchiveScope)
    case frame(section: UInt16)
    case columns(section: UInt16)
    case records(section: UInt16)
    case sectionDigest(section: UInt16)
    case scopeDigest(ArchiveScope)
    case manifest
    case keyShare
  }
}
