internal import FuekiArchive
internal import FuekiCrypto

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

extension BundleError {
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
