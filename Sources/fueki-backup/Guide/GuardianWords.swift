internal import FuekiArchive
internal import FuekiCrypto
internal import FuekiSystem

/// Reads guardians' words one by one: checks each word as it is typed, and the whole share at its end.
///
/// The terminal does not show them, because they could end up in a screenshot or in the scroll-back.
struct GuardianWords {
  let guardians: SlotSummary.Guardians
  let vaultID: VaultID

  /// As many words as a share of an age key has.
  private static let wordCount = ShareWord.count(secretByteCount: 32)
  /// Longer than any line of words.
  private static let lineLimit = 1024

  /// All shares that are needed.
  func ask() throws -> [SharedSecret] {
    Asking.say([
      "Any \(guardians.threshold) of \(guardians.shareTags.count) guardians open it. "
        + "Type the words of one sheet after the other, \(Self.wordCount) words each.",
      "Type one word or several on a line. The first four letters of a word are enough. Your typing is not shown.",
    ])
    var shares: [SharedSecret] = []
    var members: Set<Int> = []
    while shares.count < guardians.threshold {
      let place = shares.count + 1
      let share = try Asking.repeatedly { complaint in
        Asking.say(shown: complaint)
        let words = try askShare("sheet \(place) of \(guardians.threshold)")
        try check(words, members)
        return words
      }
      members.insert(try member(share))
      shares.append(share)
      Asking.say(["Sheet \(place) is right."])
    }
    return shares
  }

  /// The words of one sheet.
  private func askShare(_ sheet: String) throws -> SharedSecret {
    var words: [WrittenWord] = []
    while words.count < Self.wordCount {
      words += try Asking.repeatedly { complaint in
        try askWords(
          complaint + "\(sheet), word \(words.count + 1) of \(Self.wordCount): ",
          atMost: Self.wordCount - words.count)
      }
    }
    return try corrected(WrittenWord.joined(words))
  }

  /// Returns the words with one corrected, if the checksum identifies it and the user agrees.
  private func corrected(_ words: SharedSecret) throws -> SharedSecret {
    let wrong: WrongWord?
    do throws(SLIP39Error) {
      wrong = try WrongWord.find(in: words.bytes)
    } catch {
      return words
    }
    guard let wrong else { return words }
    let question = "word \(wrong.place) seems to be wrong. Does the sheet have \"\(wrong.word)\" there"
    guard try Asking.yes(question, default: true) else { return words }
    return try wrong.corrected(words.bytes)
  }

  /// Asks for one line of words from the word list.
  private func askWords(_ prompt: String, atMost most: Int) throws -> [WrittenWord] {
    var typed = try SecretBytes(count: Self.lineLimit)
    let length = try typed.withMutableBytes { try Terminal.readSecret(prompt: prompt, into: &$0) }
    guard let length else { throw CommandError.noSecret(.archive) }
    let words = WrittenWord.all(in: SharedSecret(try typed.copy(0..<length)))
    for (index, word) in words.enumerated() where try !word.isInList() {
      throw Self.unknown(word, place: index + 1)
    }
    guard !words.isEmpty else { throw Failure(.usage, "no word was typed") }
    guard words.count <= most else {
      throw Failure(.usage, "a sheet has \(Self.wordCount) words. You typed more")
    }
    return words
  }

  private static func unknown(_ word: WrittenWord, place: Int) -> Failure {
    let near = word.suggestions
    let what = place == 1 ? "this word is" : "word \(place) of the line is"
    return Failure(
      .usage,
      "\(what) not in the list" + (near.isEmpty ? "" : ". Did you mean \(near.joined(separator: " or "))?"))
  }

  /// - Throws: a ``Failure`` if the words are no share of these guardians, or repeat an earlier one.
  private func check(_ words: SharedSecret, _ members: Set<Int>) throws {
    let share: SLIP39Share
    do throws(SLIP39Error) {
      share = try SLIP39Share(words: words.bytes)
    } catch {
      throw Failure(.usage, "these words are not one whole sheet: \(error.sentence)")
    }
    let tag = GuardianSet.shareTag(of: try share.words().bytes, vaultID: vaultID)
    guard share.identifier == guardians.identifier, share.memberThreshold == guardians.threshold,
      guardians.shareTags.indices.contains(share.memberIndex), tag == guardians.shareTags[share.memberIndex]
    else {
      throw Failure(.usage, "this sheet is whole, but it belongs to other guardians or to another vault")
    }
    guard !members.contains(share.memberIndex) else {
      throw Failure(.usage, "this sheet was typed before. Another guardian's is needed")
    }
  }

  private func member(_ words: SharedSecret) throws -> Int {
    do throws(SLIP39Error) {
      return try SLIP39Share(words: words.bytes).memberIndex
    } catch {
      throw Failure(.usage, "these words are not one whole sheet: \(error.sentence)")
    }
  }
}
