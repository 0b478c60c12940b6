internal import FuekiArchive
internal import FuekiCrypto

extension ArchiveError.Damage {
  /// The damage in a few words.
  var sentence: String {
    switch self {
    case .structure: "no header and trailer fit together"
    case .firstHeader: "the header at the start (its copy serves)"
    case .headerCopy: "the header's copy"
    case .firstTrailer: "the first trailer (its copy serves)"
    case .trailerCopy: "the trailer at the end (the first serves)"
    case .reservedBytes: "reserved bytes are not zero"
    case .trailingBytes(let count): "\(count) bytes follow the archive"
    case .chunk(let stream, let chunk): "chunk \(chunk) of the \(stream.name)"
    case .leaf(let stream, let chunk):
      "the checksum of chunk \(chunk) of the \(stream.name) (the chunk is whole)"
    case .leafRoot: "the root of the checksums"
    case .archiveDigest: "the archive's digest"
    }
  }
}

extension ArchiveError.Newness {
  /// What is new, in a few words.
  var sentence: String {
    switch self {
    case .major(let version): "format \(version), this program reads format 1"
    case .field(let tag): "a header field that must be known: \(tag)"
    case .suite(let suite): "algorithm suite \(suite), this program knows suite 1"
    }
  }
}

extension ArchiveError.SignerProblem {
  /// What is wrong with the signature, in a few words.
  var sentence: String {
    switch self {
    case .unsigned: "it is not signed"
    case .another: "somebody else signed it"
    case .signatureFails: "the signature is not theirs"
    }
  }
}

extension PassphraseProblem {
  /// What is wrong, in a few words.
  var sentence: String {
    switch self {
    case .empty: "it is empty"
    case .tooLong: "it is too long"
    case .containsNUL: "there is a NUL in it"
    case .notText: "it is not UTF-8"
    }
  }
}
