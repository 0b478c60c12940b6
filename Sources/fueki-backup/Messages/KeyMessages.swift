internal import FuekiArchive
internal import FuekiBackup
internal import FuekiCrypto
internal import FuekiSystem
package import FuekiWallet

extension KeyChangeError: Explained {
  var failure: Failure {
    switch self {
    case .partlyOpen(let closed):
      Failure(
        .wrongSecret,
        "this secret opens only a part: \(closed.joined(separator: " and ")) \(closed.count == 1 ? "stays" : "stay") closed",
        meaning: "resealing the archive would lose the closed part, so nothing was written",
        hint: "use a key that opens all of it")
    }
  }
}

extension SigningKeyError: Explained {
  /// Names no file, for a key whose file the thrower did not know.
  var failure: Failure { Failure(.failed, failure(of: "the signing key's file").message) }

  /// Why a signing key does not sign.
  func failure(of path: String) -> Failure {
    let meaning = "nothing was signed, and nothing was written"
    return switch self {
    case .malformed: Failure(.wrongSecret, "\(path) is not a signing key file", meaning: meaning)
    case .newer(let title):
      Failure(
        .tooNew, "\(path) was made by a newer version (\(title))", meaning: meaning,
        hint: "install a newer fueki-backup")
    case .overLimit:
      Failure(
        .overLimit, "the key derivation of \(path) is outside the limits", meaning: meaning,
        hint: "64 to 1024 MiB and 2 to 16 passes")
    case .needsPassphrase: CommandError.noSecret(.signing).failure
    case .wrongPassphrase:
      Failure(
        .wrongSecret, "this passphrase does not open the signing key \(path)", meaning: meaning,
        hint: "check the passphrase. If it is right, the file was changed: use your copy of it")
    case .anotherKey:
      Failure(
        .wrongSecret, "the signing key in \(path) does not match its public line", meaning: meaning,
        hint: "use your copy of the file")
    case .crypto(let error): error.failure
    }
  }
}

extension SignedCheckpoint.Problem: Explained {
  /// Why a checkpoint says nothing.
  var failure: Failure {
    let meaning = "it was ignored, so it says nothing about the vault's newest archive"
    return switch self {
    case .malformed: Failure(.usage, "not a checkpoint: it has no line \"fueki-checkpoint-1 …\"")
    case .notAuthentic:
      Failure(.untrusted, "the checkpoint's signature is not valid for its signer", meaning: meaning)
    case .untrusted:
      Failure(.untrusted, "the checkpoint is not signed by a trusted signer", meaning: meaning)
    }
  }
}

extension SignerList.Problem: Worded {
  /// The fault of a list of signers, in a few words.
  var sentence: String {
    switch self {
    case .noSigner(let line): "line \(line) names no signer"
    case .empty: "the list names no signer"
    }
  }
}

extension PassphraseProblem: Worded {
  /// The fault, in a few words.
  var sentence: String {
    switch self {
    case .empty: "it is empty"
    case .tooLong: "it is too long"
    case .containsNUL: "it contains a NUL"
    case .notText: "it is not UTF-8"
    }
  }
}

extension GuardianShortfall {
  /// The numbers of given and missing shares, and the faults of the others.
  var sentence: String {
    let given = members.isEmpty ? "none" : "\(members.count)"
    let bad = problems.map { "share \($0.place) \($0.fault.sentence)" }
    let need = "\(threshold) shares open slot \(slot): \(given) given, \(missing) more needed"
    return ([need] + bad).joined(separator: "; ")
  }
}

extension GuardianShortfall.Fault {
  /// The fault of a share, as the rest of a sentence.
  var sentence: String {
    switch self {
    case .notAShare(let error): "is not a whole share: \(error.sentence)"
    case .foreign: "belongs to other guardians or to another vault"
    case .doubled(let member): "is member \(member)'s, which was given before"
    }
  }
}

extension AgeKeyError: Worded {
  /// The fault of a key or a file of keys, in a few words.
  var sentence: String {
    switch self {
    case .recipient(let problem): problem.sentence
    case .identity(let line, let problem): "line \(line): \(problem.sentence)"
    case .encryptedFile: "it is itself encrypted: decrypt it with age first, into memory"
    case .noIdentity: "it contains no AGE-SECRET-KEY-1… or AGE-PLUGIN-…"
    case .crypto(let error): error.sentence
    }
  }
}

extension AgeKeyError.Problem: Worded {
  /// The fault of one key, in a few words.
  var sentence: String {
    switch self {
    case .otherKind: "this is not an age key that can open archives"
    case .encoding: "it is mistyped or cut off"
    case .notOneKey: "it does not have the length of one key"
    }
  }
}

extension SLIP39Error: Worded {
  /// The fault of a share's words, or of several shares together, in a few words.
  var sentence: String {
    switch self {
    case .wordCount(let count): "it has \(count) words. No share has that many"
    case .unknownWord(let place): "word \(place) is not in the list"
    case .checksum: "a word is wrong, or the words are in the wrong order"
    case .padding, .parameters: "its words contradict one another"
    case .otherSet(let share): "share \(share + 1) belongs to another set"
    case .duplicateMember(let share): "share \(share + 1) is given twice"
    case .tooFew(let have, let need): "\(have) of \(need) given"
    case .tooFewGroups(let have, let need): "\(have) of \(need) groups given"
    case .digest: "they do not belong together"
    case .crypto(let error): error.sentence
    }
  }
}

extension CryptoError: Explained {
  var failure: Failure {
    guard self != .interrupted else { return Interrupted().failure }
    return Failure(.failed, sentence, meaning: "nothing was changed")
  }

  /// The cryptographic error, in a few words.
  var sentence: String {
    switch self {
    case .unavailable: "the cryptographic library cannot be started, or lacks an algorithm"
    case .outOfMemory: "there is not enough memory for a secret or for deriving a key"
    case .derivationFailed: "no key can be derived at this cost"
    case .interrupted: "interrupted"
    case .notAuthentic: "sealed bytes do not open: another key sealed them, or they were altered"
    case .invalidKey: "the algorithm does not allow this key"
    case .invalidPoint: "the algorithm does not allow this public key"
    case .invalidLength: "the algorithm does not allow this length"
    case .invalidPassphrase(let problem): "not a valid passphrase: \(problem.sentence)"
    }
  }
}

extension Bech32Error: Worded {
  /// The fault of a text, in a few words.
  var sentence: String {
    switch self {
    case .wrongLength: "it has the wrong length"
    case .invalidCharacter: "it has a character that is not allowed"
    case .mixedCase: "it mixes capital and small letters"
    case .noSeparator: "there is no 1 between its two parts"
    case .wrongChecksum: "it does not match its checksum: a character is wrong"
    }
  }
}

extension ExtendedKeyError: Worded {
  /// The fault of an extended key, in a few words.
  var sentence: String {
    switch self {
    case .notAKey: "not an extended key"
    case .wrongChecksum: "the extended key does not match its checksum: a character is wrong"
    case .unknownVersion: "not an extended key of a known kind"
    case .privateKey: "the extended key is private"
    case .invalidDepth: "the extended key contradicts itself"
    case .invalidKey: "the extended key holds no key"
    case .hardenedStep: "only the private key has this child"
    case .noSuchChild: "the extended key has no such child"
    case .tooDeep: "a derivation path has at most 255 steps"
    case .seedLength: "a seed has 16 to 64 bytes"
    case .crypto(let error): error.sentence
    }
  }
}

extension PluginFailure {
  /// The fault, in one sentence, with the plugin's own words in quotes.
  var sentence: String {
    switch fault {
    case .notInstalled: "\(program) is not in any folder of PATH"
    case .system(let error): "\(program): \(error.sentence)"
    case .ended(let ending, let errors):
      "\(program) \(ending?.sentence ?? "ended") before it was done"
        + (errors.isEmpty ? "" : ", and last wrote \(TerminalText.quoted(errors))")
    case .timedOut: "\(program) did not finish in time"
    case .broke(let breach): "\(program) breaks the age-plugin protocol: \(breach.sentence)"
    case .refused(let message): "\(program) refuses: \(TerminalText.quoted(message))"
    case .unanswered(let question):
      "\(program) asks \(TerminalText.quoted(question)), but there is no terminal to answer on"
    case .noKey: "\(program) gave no key"
    case .wrongKey: "the key from \(program) does not open this archive"
    case .outOfMemory: "not enough memory for what \(program) says"
    }
  }

  /// The advice for it.
  var hint: String? {
    switch fault {
    case .notInstalled: "install the plugin. Only folders of PATH that begin with / are searched"
    case .unanswered: "run this at a terminal"
    case .timedOut, .noKey: "is the device plugged in?"
    case .system, .ended, .broke, .refused, .wrongKey, .outOfMemory: nil
    }
  }
}

extension PluginFailure.Fault: Worded {
  var sentence: String { PluginFailure(program: "the plugin", fault: self).sentence }
}

extension PluginFailure.Breach {
  /// How, in a few words.
  var sentence: String {
    switch self {
    case .malformed: "a line is not part of a stanza"
    case .tooLong: "it says more than the limits allow"
    case .outOfPlace: "a command appears where it has no meaning"
    case .stanzas: "its stanzas do not fit in a slot"
    }
  }
}

extension AddressProblem: Explained {
  var failure: Failure { Failure(.failed, "an address \(sentence)") }
}

extension DescriptorError: Explained {
  var failure: Failure { Failure(.failed, "a descriptor \(sentence)") }

  /// One sentence for display after the descriptor.
  package var sentence: String {
    switch self {
    case .tooLong: "is too long"
    case .invalidCharacter: "contains a character that is not allowed in descriptors"
    case .noChecksum: "has no valid checksum (eight characters) after its #"
    case .wrongChecksum: "does not match its checksum: at least one character is wrong"
    case .syntax: "is not written correctly"
    case .unsupported(let name): "uses \(name), which this program does not support"
    case .misplaced(let name): "uses \(name) in a place where it is not allowed"
    case .invalidKey: "contains an invalid key"
    case .privateKey: "contains a private key, but only public keys are allowed in it"
    case .uncompressedKey: "contains an uncompressed key where only compressed keys are allowed"
    case .invalidOrigin: "contains a key with an invalid origin, the part in [ ] before it"
    case .invalidStep: "contains a key with an invalid step in its path"
    case .hardenedStep: "contains a hardened step, which needs the private key"
    case .invalidMultipath: "contains steps with several numbers, as in <0;1>, that do not fit together"
    case .invalidThreshold: "needs a number of signatures that is impossible with its keys"
    case .invalidScript: "contains a script that is not hexadecimal"
    case .address(let problem): "contains an address that \(problem.sentence)"
    case .noAddress: "leads to no address"
    case .otherNetwork: "belongs to another network"
    case .noSuchBranch: "has no such branch"
    case .noSuchIndex: "has no key with that index"
    case .crypto: "cannot be computed by this system's cryptographic library"
    }
  }
}
