public import FuekiSystem

/// Why an archive cannot be used, by the verdicts of fueki-archive(5).
///
/// *Older than known* and *forked* are missing here because they compare an archive with the caller's
/// knowledge.
public enum ArchiveError: Error, Equatable {
  /// Neither header has the magic.
  case notAnArchive
  /// The file ends before the archive does.
  case incomplete
  /// A digest does not match, or there are bytes where none belong.
  case damaged(Damage)
  /// The file was made by a newer version.
  case tooNew(Newness)
  /// A trusted signer was required, and the archive is not signed by one.
  case untrusted(SignerProblem)
  /// No secret of the caller opens a slot.
  case wrongSecret
  /// Too few guardians' shares were given.
  case tooFewShares(GuardianShortfall)
  /// An age plugin's identity was given, but the plugin opens no slot, and no other secret does.
  case pluginFailed(PluginFailure)
  /// A number in the file exceeds the format's limits.
  case overLimit(Limit)
  /// The digests match, but another rule is broken.
  case forged(BrokenRule)
  /// The archive is intact, but the base of its history is missing.
  case baseMissing(BaseReference)
  /// The archive is intact, but the base of its history is not.
  indirect case inBase(BaseReference, ArchiveError)
  /// The file could not be read.
  case unreadable(SystemError)
  /// The machine lacks the resources to open the archive, such as memory for the key derivation.
  case outOfMemory

  /// Whether only the history's base is damaged or missing.
  ///
  /// Everything but the history is intact.
  public var isOfBase: Bool {
    switch self {
    case .baseMissing, .inBase: true
    default: false
    }
  }

  /// Damage, by the part of the file.
  public enum Damage: Hashable, Sendable {
    /// No header is intact, or the lengths fit no archive.
    case structure
    /// The header at the file's start.
    ///
    /// Its copy is used.
    case firstHeader
    /// The header's copy near the file's end.
    case headerCopy
    /// The first trailer.
    ///
    /// Its copy is used.
    case firstTrailer
    /// The trailer's copy at the file's end.
    case trailerCopy
    /// A reserved byte is not zero.
    case reservedBytes
    /// `count` bytes follow a complete archive.
    case trailingBytes(count: UInt64)
    /// Chunk `chunk`, counted from 0 within its stream.
    case chunk(stream: ArchiveScope, chunk: UInt64)
    /// The leaf table's entry for chunk `chunk`.
    ///
    /// The chunk itself is intact.
    case leaf(stream: ArchiveScope, chunk: UInt64)
    /// The leaf root in the trailer.
    case leafRoot
    /// The archive digest in the trailer.
    case archiveDigest

    /// Whether reading must stop here.
    ///
    /// It continues only if one of two copies is intact.
    var stopsReader: Bool {
      switch self {
      case .firstHeader, .headerCopy, .firstTrailer, .trailerCopy: false
      default: true
      }
    }
  }

  /// A feature of a newer version that this version does not know.
  public enum Newness: Hashable, Sendable {
    /// The format's major version.
    case major(UInt16)
    /// A critical header field.
    case field(tag: UInt16)
    /// The suite of algorithms.
    case suite(UInt16)
  }

  /// Why the required signature is missing or invalid.
  public enum SignerProblem: Hashable, Sendable {
    /// The archive names no signer.
    case unsigned
    /// The archive names a signer who is not trusted.
    case another
    /// The archive names a trusted signer, but the signature is invalid.
    case signatureFails
    /// A trusted signer's signature is valid, but the leaf table that binds the chunks to it is damaged.
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

  /// A rule of the format that is broken although the digests match.
  public enum BrokenRule: Hashable, Sendable {
    case tooShort
    case version
    case padding
    case headerFields
    /// The header names a base that is impossible for the archive.
    case base
    /// The record of changes is missing, duplicated, malformed, or present in a full archive.
    case changes
    /// The named base has another vault or sequence than stated, or is not a full archive.
    case otherBase
    /// Archive and base do not yield the section that the changes announce.
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

/// The verdicts on an archive (fueki-archive(5), VERDICTS), with their names in JSON.
public enum Verdict: String, CaseIterable, Sendable {
  /// Everything that was checked is valid.
  case intact = "ok"
  /// Neither header has the magic.
  case notAnArchive = "not-an-archive"
  /// The file ends before the archive does.
  case incomplete
  /// A digest does not match.
  case damaged
  /// Made by a newer version.
  case tooNew = "too-new"
  /// Not signed by a trusted signer.
  case untrusted = "not-signed-by-a-trusted-signer"
  /// Older than the newest archive known of its vault.
  case older = "older-than-known"
  /// The vault's lineage forks here.
  case forked
  /// No secret of the caller opens a slot.
  case wrongSecret = "wrong-secret"
  /// A number exceeds the format's limits.
  case overLimit = "over-limit"
  /// The digests match, but another rule is broken.
  case forged = "forged-or-inconsistent"
  /// The archive is intact, but its base is missing.
  case baseMissing = "base-missing"
  /// The file could not be read, which reveals nothing about the archive.
  case unreadable
}

extension ArchiveError {
  /// The verdict for the error.
  public var verdict: Verdict {
    switch self {
    case .notAnArchive: .notAnArchive
    case .incomplete: .incomplete
    case .damaged: .damaged
    case .tooNew: .tooNew
    case .untrusted: .untrusted
    case .wrongSecret, .tooFewShares, .pluginFailed: .wrongSecret
    case .overLimit: .overLimit
    case .forged: .forged
    case .baseMissing: .baseMissing
    case .inBase(_, let error): error.verdict
    case .unreadable, .outOfMemory: .unreadable
    }
  }
}
