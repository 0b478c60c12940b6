internal import FuekiArchive
internal import FuekiCrypto

extension PassphraseProblem {
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

extension AgeKeyError {
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

extension AgeKeyError.Problem {
  /// The fault of one key, in a few words.
  var sentence: String {
    switch self {
    case .otherKind: "this is not an age key that can open archives"
    case .encoding: "it is mistyped or cut off"
    case .notOneKey: "it does not have the length of one key"
    }
  }
}

extension SLIP39Error {
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
