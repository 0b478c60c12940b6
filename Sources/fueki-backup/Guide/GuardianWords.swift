internal import FuekiArchive
internal import FuekiCrypto
internal import FuekiSystem

/// Has guardians' words typed one by one: each is looked up as it is typed, and the whole share at its end.
///
/// The terminal does not show them: below its prompt another person's screenshot or scroll-back begins.
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
      "Type one word or several on a line. The first four letters of a word are enough. What you type is not shown.",
    ])
    var shares: [SharedSecret] = []
    var members: Set<Int> = []
    while shares.count < guardians.threshold {
      let place = shares.count + 1
      let share = try Asking.repeatedly { complaint in
        if !complaint.isEmpty { Asking.say([String(complaint.dropLast())]) }
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
    let capacity = Self.wordCount * (ShareWord.letterCountLimit + 1)
    var words = try SecretBytes(count: capacity)
    var (end, count) = (0, 0)
    while count < Self.wordCount {
      let line = try Asking.repeatedly { complaint in
        try askWords(
          complaint + "\(sheet), word \(count + 1) of \(Self.wordCount): ", atMost: Self.wordCount - count)
      }
      words.withMutableBytes { words in
        line.text.bytes.withBytes { text in
          if end > 0 {
            words[end] = UInt8(ascii: " ")
            end += 1
          }
          words.write(text, at: end)
          end += text.count
        }
      }
      count += line.count
    }
    return SharedSecret(try words.copy(0..<end))
  }

  /// One line of words, each whole, with single spaces.
  private func askWords(_ prompt: String, atMost most: Int) throws -> (text: SharedSecret, count: Int) {
    var typed = try SecretBytes(count: Self.lineLimit)
    let length = try typed.withMutableBytes { try Terminal.readSecret(prompt: prompt, into: &$0) }
    guard let length else { throw CommandError.noSecret(.archive) }
    var text = try SecretBytes(count: (length + 1) * 2 + ShareWord.letterCountLimit)
    var (end, count, position) = (0, 0, 0)
    var fault: Failure?
    typed.withBytes { typed in
      text.withMutableBytes { text in
        while position < length, fault == nil {
          var start = position
          while position < length, !Self.isBlank(typed[position]) { position += 1 }
          let last = position
          position += 1
          // A sheet numbers its words.
          while start < last, Self.isNumbering(typed[start]) { start += 1 }
          guard start < last else { continue }
          let word = typed.extracting(start..<last)
          if end > 0 {
            text[end] = UInt8(ascii: " ")
            end += 1
          }
          guard let next = ShareWord.complete(word, into: &text, at: end) else {
            fault = Self.unknown(word, place: count + 1)
            return
          }
          (end, count) = (next, count + 1)
        }
      }
    }
    if let fault { throw fault }
    guard count > 0 else { throw Failure(.usage, "no word was typed") }
    guard count <= most else { throw Failure(.usage, "a sheet has \(Self.wordCount) words; you typed more") }
    return (SharedSecret(try text.copy(0..<end)), count)
  }

  private static func unknown(_ word: Span<UInt8>, place: Int) -> Failure {
    let near = ShareWord.suggestions(for: word)
    let what = place == 1 ? "this word is" : "word \(place) of the line is"
    return Failure(
      .usage,
      "\(what) not in the list" + (near.isEmpty ? "" : "; did you mean \(near.joined(separator: " or "))?"))
  }

  private static func isBlank(_ byte: UInt8) -> Bool { byte == 0x20 || 0x09...0x0d ~= byte }

  private static func isNumbering(_ byte: UInt8) -> Bool {
    0x30...0x39 ~= byte || ".,;:)(-".utf8.contains(byte)
  }

  /// - Throws: a ``Failure`` where the words are no share of these guardians, or one that was typed before.
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
      throw Failure(.usage, "this sheet was typed before; another guardian's is needed")
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
