internal import FuekiArchive
internal import FuekiCrypto
internal import FuekiSystem

extension ArchiveError: Explained {
  private var status: ExitStatus { ExitStatus(verdict) }

  var failure: Failure {
    switch self {
    case .notAnArchive:
      Failure(
        status, "this is not a Fueki archive", meaning: "nothing in it was read or changed",
        hint:
          "fueki-backup list DIR shows the archives of a folder. For another wallet's file: fueki-backup import FILE"
      )
    case .incomplete:
      Failure(
        status, "the file ends before the archive does",
        meaning:
          "it was cut off, or is still being copied or downloaded. The archive itself may be fine elsewhere",
        hint: "wait for the sync to finish, or take another copy")
    case .damaged(let damage):
      Failure(
        status, "the archive is damaged: \(damage.sentence)",
        meaning: "what is in the damaged part cannot be trusted. Nothing was changed",
        hint: "try another copy of the same archive, or the one before it"
          + (damage == .structure ? "" : ". \"fueki-backup restore --salvage\" brings back what is whole"))
    case .tooNew(let newness):
      Failure(
        status, "made by a newer version (\(newness.sentence))", meaning: "the archive is not damaged",
        hint: "install a newer fueki-backup")
    case .untrusted(let problem):
      Failure(
        status, "not signed by a trusted signer: \(problem.sentence)",
        meaning: "none of the signers that you trust made this archive. A stranger may have put it there")
    case .wrongSecret:
      Failure(
        status, "this secret does not open the archive",
        meaning: "its header and slots are intact, so this is not damage",
        hint: "for a passphrase, check keyboard layout, capitals and spaces; "
          + "\"key list\" shows what opens the archive")
    case .tooFewShares(let shortfall):
      Failure(
        status, shortfall.sentence, meaning: "its header and slots are intact, so this is not damage",
        hint: "ask the guardians for the rest: \"guardians check\" tells each whether their share is intact")
    case .pluginFailed(let failure):
      Failure(
        status, "this secret does not open the archive: \(failure.sentence)",
        meaning: "its header and slots are intact, so this is not damage", hint: failure.hint)
    case .overLimit(let limit):
      Failure(
        status, "a number in the archive is beyond the format's limits: \(limit.sentence)",
        meaning: "it was not made by this program, or it was made to exhaust this machine")
    case .forged(let rule):
      Failure(
        status, "the archive contradicts itself: \(rule.sentence)",
        meaning: "its checksums are right, so no storage fault did this: it was made so",
        hint: "do not trust this file. Take another archive of the vault")
    case .baseMissing(let base):
      Failure(
        status, "the archive is whole, but its base is not here: \(base.sentence)",
        meaning: "of the history it holds only what changed since its base. Profile and secrets are complete",
        hint: "put its base into the same folder; "
          + "restore --exclude history brings back everything but the history")
    case .inBase(let base, let error):
      Failure(
        status, "the archive is whole, but its base is not (\(base.sentence)): \(error.failure.message)",
        meaning: error.failure.meaning, hint: error.failure.hint)
    case .unreadable(let error): error.failure
    case .outOfMemory:
      Failure(status, "there is not enough memory to derive the key", meaning: "nothing was changed")
    }
  }
}

extension PluginFailure: Explained {
  /// A plugin that made no slot.
  var failure: Failure {
    if case .system(let error) = fault, error.isInterrupted { return error.failure }
    return Failure(.failed, sentence, meaning: "no archive was written", hint: hint)
  }
}

extension ArchiveError.Damage {
  /// The damage in a few words.
  var sentence: String {
    switch self {
    case .structure: "no header matches a trailer"
    case .firstHeader: "the header at the start (its copy is used)"
    case .headerCopy: "the header's copy"
    case .firstTrailer: "the first trailer (its copy is used)"
    case .trailerCopy: "the trailer at the end (the first is used)"
    case .reservedBytes: "reserved bytes are not zero"
    case .trailingBytes(let count): "\(count) bytes follow the archive"
    case .chunk(let stream, let chunk): "a part of the \(stream.name) (its chunk \(chunk))"
    case .leaf(let stream, let chunk):
      "the checksum of a part of the \(stream.name) (chunk \(chunk), which is whole)"
    case .leafRoot: "the root of the checksums"
    case .archiveDigest: "the archive's digest"
    }
  }
}

extension ArchiveError.Newness {
  /// The new feature, in a few words.
  var sentence: String {
    switch self {
    case .major(let version): "format \(version), this program reads format 1"
    case .field(let tag): "a header field that this program must know, but does not: \(tag)"
    case .suite(let suite): "algorithm suite \(suite), this program knows suites 1 and 3"
    }
  }
}

extension ArchiveError.SignerProblem {
  /// The fault of the signature, in a few words.
  var sentence: String {
    switch self {
    case .unsigned: "it is not signed"
    case .another: "a different key signed it"
    case .signatureFails: "its signature is not valid"
    case .chunksUnproven: "it is signed, but the table that ties its chunks to the signature is damaged"
    }
  }
}

extension ArchiveError.Limit {
  /// Which number is beyond the limits, in a few words.
  var sentence: String {
    switch self {
    case .archiveLength: "the archive's length"
    case .headerLength: "the header's length"
    case .slotCount: "the number of slots"
    case .passphraseSlots: "the number of slots that a passphrase opens"
    case .pluginSlots: "the number of slots that an age plugin opens"
    case .derivationMemory(let kibibytes): "a key derivation with \(kibibytes) KiB of memory"
    case .derivationPasses(let passes): "a key derivation with \(passes) passes"
    case .derivationTotal: "the memory and passes of all key derivations together"
    case .indexLength: "an index's length"
    case .blockLength: "a block's length"
    case .recordLength: "a record's length"
    case .window: "the memory that unpacking a block takes"
    case .columnForm: "the length of a block's columns"
    case .plaintext: "the length of all that is unpacked"
    case .changes: "the number of records that differ from its base"
    }
  }
}

extension ArchiveError.BrokenRule {
  /// The fault, in a few words.
  var sentence: String {
    switch self {
    case .tooShort: "it is shorter than an archive can be"
    case .version: "its format version does not exist"
    case .padding: "the format's padding does not allow its length"
    case .headerFields: "a field of its header does not follow the format"
    case .base: "it names as its base an archive that cannot be one"
    case .changes: "its list of changes to its base does not follow the format"
    case .otherBase: "the archive that it builds on is of another vault or place, or builds on a third one"
    case .result(let section):
      "section \(section), joined from it and its base, does not match what it announces"
    case .slot(let number): "slot \(number) does not follow the format"
    case .signature: "its signature is not valid"
    case .slotsDisagree: "its slots lead to different keys"
    case .confirmation(let scope):
      "the key of the \(scope.name) differs from the key that its header confirms"
    case .seal(let scope): "the seal of the \(scope.name) is not valid"
    case .chunkTag(let stream, let chunk): "chunk \(chunk) of the \(stream.name) was not sealed with its key"
    case .index(let scope): "the index of the \(scope.name) does not match what it lists"
    case .fill(let scope): "the padding of the \(scope.name) is not empty"
    case .frame(let section): "the packing of a block of section \(section) does not follow the format"
    case .columns(let section): "the columns of a block of section \(section) do not follow the format"
    case .records(let section): "the records of section \(section) do not follow the format"
    case .sectionDigest(let section): "section \(section) does not match its digest"
    case .scopeDigest(let scope): "the \(scope.name) does not match the digest in the manifest"
    case .manifest: "its manifest does not follow the format"
    case .keyShare: "a key share in it was altered"
    }
  }
}

extension BundleError: Explained {
  var failure: Failure {
    guard case .closedScopes = self else {
      return Failure(.overLimit, "the archive would not fit the format: \(sentence)")
    }
    return .usage("\(sentence): add a passphrase, or a recipient without scopes")
  }

  /// The violation of the format, in a few words.
  var sentence: String {
    switch self {
    case .recordTooLarge(let bytes): "a record has \(bytes) bytes. The limit is 16 MiB"
    case .sectionOrder(let section): "section \(section) came twice, or after a later section"
    case .manifestLength(let reserved, let given):
      "the manifest has \(given) bytes, but \(reserved) were reserved for it"
    case .slotCount(let count): "\(count) slots: an archive has 1 to 32, at most 4 of them for passphrases"
    case .derivationCost(let cost):
      "a key derivation with \(cost.memoryKiB) KiB and \(cost.passes) passes, which no reader accepts"
    case .headerTooLarge(let bytes):
      "its header would have \(bytes) bytes. The limit is 65,536: its slots are too many or too large"
    case .closedScopes(let scopes):
      "no key would open \(scopes.map(\.name).joined(separator: " and "))"
    case .archiveTooLarge: "it would be larger than 1 TiB. That is the limit"
    }
  }
}

extension BaseReference {
  /// Which archive it is, in a few words.
  var sentence: String { "archive \(sequence), \(digest.hex.prefix(12))" }
}
