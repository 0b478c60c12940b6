internal import FuekiBackup
internal import FuekiCompression
internal import FuekiCrypto
internal import FuekiWallet

extension RecordsError: Explained {
  var failure: Failure {
    switch self {
    case .malformedRecord(let section):
      Failure(
        .forged, "a record of \(section) does not belong in that section", meaning: "nothing was put in place"
      )
    case .newerRecords(let schema):
      Failure(
        .tooNew,
        "made by a newer version (records of schema \(schema), and this program knows \(RecordSchema.current))",
        meaning: "the archive is not damaged. Nothing was put in place",
        hint: "install a newer fueki-backup")
    case .countDiffers(let section, let reported, let written):
      Failure(
        .failed, "\(section): \(reported) records were announced, but \(written) arrived",
        meaning: "nothing was published")
    }
  }
}

extension RecordTextError: Explained {
  var failure: Failure { Failure(.usage, sentence, meaning: "nothing was done") }

  /// Why a text is no value of a field.
  var sentence: String {
    switch self {
    case .noField(let name): "there is no field \(GivenWord.shown(name)) for this"
    case .notOneValue(let field): "the field \(field) has more than one value or part, and cannot be typed"
    case .notAValue(let field): "that is no value of the field \(field)"
    }
  }
}

extension SecretRecordError: Explained {
  var failure: Failure {
    switch self {
    case .malformed(let error):
      Failure(.forged, "a secret record is malformed: \(error.sentence)")
    case .missing(let field): Failure(.forged, "a secret record lacks its field \(field)")
    case .outOfMemory: Failure(.failed, CryptoError.outOfMemory.sentence)
    }
  }
}

extension WireError: Explained {
  var failure: Failure { Failure(.failed, "a record cannot be read: \(sentence)") }

  /// The fault in a record's bytes, in a few words.
  var sentence: String {
    switch self {
    case .truncated: "it ends within a field"
    case .varintNotMinimal: "a number has more bytes than it needs"
    case .invalidTag: "it has a field of an unknown kind"
    case .wrongType(let field): "its field \(field) has the wrong type"
    case .repeated(let field): "its field \(field) appears twice"
    case .invalidValue(let field): "its field \(field) has an invalid value"
    }
  }
}

extension FramingError: Worded {
  /// The fault in a sequence of records, in a few words.
  var sentence: String {
    switch self {
    case .truncated(let offset): "the records end within the one at byte \(offset)"
    case .lengthNotMinimal(let offset): "a record's length has more bytes than it needs, at byte \(offset)"
    case .tooLong(let offset): "the record at byte \(offset) has more than 16 MiB"
    }
  }
}

extension ManifestError: Worded {
  /// Why a manifest does not fit, in a few words.
  var sentence: String {
    switch self {
    case .tooLong(let byteCount): "the manifest has \(byteCount) bytes, more than were reserved for it"
    case .unreachable(let byteCount): "the manifest cannot be filled up to \(byteCount) bytes"
    case .notEncodable: "the manifest cannot be encoded"
    }
  }
}

extension CompressionError: Worded {
  /// The fault in packed bytes, in a few words.
  var sentence: String {
    switch self {
    case .notOneFrame: "the packed data is not one zstd frame"
    case .wrongLength: "the packed data does not have the length that is stated"
    case .windowTooLarge(let bytes): "unpacking needs \(bytes) bytes of memory, more than is allowed"
    case .contentTooLarge(let bytes): "the packed data has \(bytes) bytes, more than is allowed"
    case .hasChecksum: "the packed data has a checksum of its own"
    case .hasDictionary: "unpacking needs a dictionary"
    case .noContentSize: "the packed data does not state its length"
    case .damaged: "the packed data is damaged"
    case .unavailable: "there is not enough memory to pack or unpack"
    }
  }
}

extension SelectionError: Explained {
  var failure: Failure {
    Failure(
      .usage, sentence, meaning: "nothing was done",
      hint:
        "the scopes are profile, history and secrets. The manual page fueki-backup(1) lists the sections of each"
    )
  }

  /// Why a selection of sections cannot be used.
  var sentence: String {
    switch self {
    case .unknown(let name, let nearest):
      GuessedSection.of(name).map { "there is no scope or section \"\(name)\": \($0)" }
        ?? GuessedSection.sentence(of: name, nearest)
    case .manifestIsNeeded: "the manifest is part of every archive and cannot be excluded"
    }
  }
}

/// Words that people type for sections that have other names.
enum GuessedSection {
  private static let meant: [(words: Set<String>, sentence: String)] = [
    (
      ["key", "keys", "privkeys", "private", "privatekeys"],
      "keys are in private-keys, key-shares and secret-files, which secrets covers"
    ),
    (["seed", "seeds", "words", "mnemonic", "phrase"], "seed phrases are in private-keys and secret-files"),
    (["share", "shares"], "key shares are in key-shares, and what describes them in key-share-descriptors"),
    (["tx", "txs", "transfers"], "transactions are in transactions, which history covers"),
    (["addresses", "addressbook", "address-book"], "addresses that you named are in contacts"),
    (["passwords", "logins"], "passwords for services are in credentials"),
    (["wallet", "accounts"], "wallets are in wallets, which profile covers"),
  ]

  /// Returns the intended section, in a sentence; nil for an unknown word.
  static func of(_ word: String) -> String? {
    meant.first { $0.words.contains(word.lowercased()) }?.sentence
  }

  /// Returns the sentence for any other word, which may be a secret and is repeated only if it resembles a name.
  static func sentence(of word: String, _ nearest: String) -> String {
    guard NearestName.distance(word, nearest) <= 2 else { return "there is no scope or section of that name" }
    return "there is no scope or section \"\(word)\". Did you mean \"\(nearest)\"?"
  }
}
