internal import FuekiArchive
internal import FuekiBackup
internal import FuekiCrypto
internal import FuekiWallet

/// The public file that `guardians split` writes: one line, and comments, of which one names the vault.
enum GuardianFile {
  private static let vaultComment = "# vault "

  /// The file's text.
  static func text(of set: GuardianSet, vaultID: VaultID, made: String) -> String {
    """
    # The guardians of a wallet's backups: any \(set.threshold) of \(set.shareTags.count) shares open them.
    # This is no secret. It makes archives that the guardians can open:
    #   fueki-backup create --guardians FILE
    # made \(made) by \(Program.name)
    \(vaultComment)\(vaultID.hex)
    \(set.line)

    """
  }

  static func read(_ path: String) throws -> GuardianSet {
    let sets = try TextFile.trustedLines(at: path).filter { !$0.hasPrefix("#") }.compactMap(GuardianSet.init)
    guard sets.count == 1, let set = sets.first else {
      throw CommandError.usage("\(path) is not a guardians' file: it has no line \"fueki-guardians-1 …\"")
    }
    return set
  }

  /// Returns the vault that the guardians were made for; nil without the comment.
  static func vaultID(_ path: String) throws -> VaultID? {
    let comment = try TextFile.lines(at: path).first { $0.hasPrefix(vaultComment) }
    return try comment.map { try VaultName.read(String($0.dropFirst(vaultComment.utf8.count))) }
  }
}

/// A file with the words of one guardian's share: a printed sheet's own file, or words that were typed or copied.
///
/// In a sheet the words are on the line that begins with `words:`, and all else is for people. A file without such a
/// line is words alone, on one line or several or in the sheet's table, as ``WrittenWord`` reads them; lines that begin
/// with `#` are passed over.
enum GuardianShareFile {
  /// The beginning of the line with the words.
  static let marker = "words:"

  /// Returns the words in lower case with single spaces, without checking that they are a share.
  static func words(inFile path: String) throws -> SharedSecret {
    let text = SharedSecret(try PrivateText.read(path, as: "a share's words"))
    let places = try text.bytes.withBytes { text in try Self.places(in: text, path) }
    let words = places.flatMap { WrittenWord.all(in: text, $0) }
    guard !words.isEmpty else { throw CommandError.secretUnreadable(source: path, reason: "it has no words") }
    return try WrittenWord.joined(words)
  }

  /// Returns the words of a file that the user gave as a guardian's sheet.
  ///
  /// - Throws: a ``Failure`` if most of its words are not in the word list, because it is another file.
  static func sheet(inFile path: String) throws -> SharedSecret {
    let words = try words(inFile: path)
    let written = WrittenWord.all(in: words)
    let known = try written.count { try $0.isInList() }
    guard known * 2 >= written.count else {
      throw Failure(
        .wrongSecret,
        "\(GivenWord.shown(path)) is not a guardian's sheet: \(known) of its \(written.count) words are in the list",
        meaning: "it was not tried, so this says nothing about the archive or the other shares",
        hint:
          "name the files of the sheets, each with the words of one share. \"fueki-backup guardians check FILE\" tests a sheet"
      )
    }
    return words
  }

  /// Returns the places of the words.
  private static func places(in text: Span<UInt8>, _ path: String) throws -> [Range<Int>] {
    var bare: [Range<Int>] = []
    var marked: [Range<Int>] = []
    var start = 0
    while start < text.count {
      var end = start
      while end < text.count, text[end] != UInt8(ascii: "\n"), text[end] != UInt8(ascii: "\r") { end += 1 }
      while start < end, isSpace(text[start]) { start += 1 }
      if begins(text.extracting(start..<end), with: marker) {
        marked.append(start + marker.utf8.count..<end)
      } else if start < end, text[start] != UInt8(ascii: "#") {
        bare.append(start..<end)
      }
      start = end + 1
    }
    guard marked.count <= 1 else {
      throw CommandError.secretUnreadable(
        source: path, reason: "it has several shares. Write each into a file of its own")
    }
    return marked.isEmpty ? bare : marked
  }

  private static func isSpace(_ byte: UInt8) -> Bool { byte == 0x20 || 0x09...0x0d ~= byte }

  private static func begins(_ line: Span<UInt8>, with marker: String) -> Bool {
    let marker = Array(marker.utf8)
    return line.count >= marker.count
      && marker.indices.allSatisfy { index in
        (0x41...0x5A ~= line[index] ? line[index] | 0x20 : line[index]) == marker[index]
      }
  }
}

/// A share from a file of the user's, valid or not.
struct GivenShare {
  let path: String
  let share: Result<SLIP39Share, SLIP39Error>

  init(_ path: String) throws {
    self.path = path
    let words = try GuardianShareFile.words(inFile: path)
    do throws(SLIP39Error) {
      share = .success(try SLIP39Share(words: words.bytes))
    } catch {
      share = .failure(error)
    }
  }

  /// Returns its fault by itself or, if the guardians are known, as one of their shares.
  func problem(of guardians: KnownGuardians?) throws -> ShareProblem? {
    switch share {
    case .failure(.crypto(let error)): throw error
    case .failure(let error): return .words(error)
    case .success(let share):
      guard share.isOfGuardians else { return .notOfGuardians }
      return try guardians.flatMap { try $0.problem(with: share) }
    }
  }
}

extension SLIP39Share {
  /// Whether its numbers are those that guardians' shares have: one group, exponent 1, not extendable, a key's length.
  var isOfGuardians: Bool {
    groupCount == 1 && groupIndex == 0 && iterationExponent == 1 && !isExtendable && memberThreshold >= 2
      && value.bytes.count == AgeKeyForm.identityByteCount
  }
}

/// Guardians as their public file has them, and the vault that their tags are bound to.
struct KnownGuardians {
  let set: GuardianSet
  let vaultID: VaultID

  /// - Parameters:
  ///   - path: of the public file.
  ///   - vault: in hex; nil to use the file's comment.
  /// - Throws: ``CommandError/usage(_:)`` if neither states the vault.
  init(_ path: String, vault: String?) throws {
    set = try GuardianFile.read(path)
    guard let vaultID = try vault.map(VaultName.read) ?? GuardianFile.vaultID(path) else {
      throw CommandError.usage("\(path) does not name its vault: use --vault-id")
    }
    self.vaultID = vaultID
  }

  func problem(with share: SLIP39Share) throws -> ShareProblem? {
    guard share.identifier == set.identifier, share.memberThreshold == set.threshold,
      share.memberIndex < set.shareTags.count
    else { return .otherGuardians }
    let words = try share.words()
    let tag = GuardianSet.shareTag(of: words.bytes, vaultID: vaultID)
    return tag == set.shareTags[share.memberIndex] ? nil : .otherTag(member: share.memberIndex + 1)
  }
}

/// The fault of a given share.
enum ShareProblem {
  case words(SLIP39Error)
  case notOfGuardians
  case otherGuardians
  case otherTag(member: Int)
  case otherSet(than: String)
  case sameMember(as: String)

  var sentence: String {
    switch self {
    case .words(let error): error.sentence
    case .notOfGuardians: "it is a share, but \"guardians split\" does not make such shares"
    case .otherGuardians: "it is a whole share, but of other guardians"
    case .otherTag(let member):
      "it says that it is guardian \(member)'s, but it is not the share that was made: it is of another vault, or forged"
    case .otherSet(let path): "it is a whole share, but of another set than \(path)"
    case .sameMember(let path): "it is from the same guardian as \(path)"
    }
  }

  /// The place of the wrong word, from 1, if a single word is wrong.
  var place: Int? {
    if case .words(.unknownWord(let place)) = self { return place }
    return nil
  }
}

/// The guardians of a vault's last archive, who open the next one, too, until they are removed.
final class StayingGuardians {
  private let options: SlotOptions
  private let vault: VaultSettings
  private var set: GuardianSet?
  /// Whether the last archive has guardians whom the new one lacks, although no one removed them.
  private(set) var isLacking = false

  init(_ options: SlotOptions, _ vault: VaultSettings, _ configuration: Configuration) {
    (self.options, self.vault) = (options, vault)
    set = Self.of(vault, configuration)
  }

  /// Returns the guardians that this machine's state has for a vault's next archives.
  static func of(_ vault: VaultSettings, _ configuration: Configuration) -> GuardianSet? {
    guard let state = try? Places.state() else { return nil }
    let isOfStore = vault.from?.contains("store") ?? true
    let id = (isOfStore ? configuration.vaultID(of: vault) : vault.id) ?? (try? state.storelessVaultID())
    return id.flatMap { try? state.vault($0) }.flatMap(read)
  }

  private static func read(_ state: VaultState) -> GuardianSet? {
    state.guardians.flatMap { GuardianSet(line: $0) }
  }

  /// Reads the guardians of the vault that the run is about.
  func look(_ state: VaultState) { set = Self.read(state) }

  private var staying: GuardianSet? { options.guardians == nil && vault.guardians == nil ? set : nil }

  /// The guardians as a line of what opens an archive.
  var lines: [String] { staying.map { [$0.line] } ?? [] }

  /// Returns the slots with one for them, and warns if nothing is known here of the last archive's guardians.
  func added(to slots: [NewSlot], after last: StoredArchive?, _ console: Console) -> [NewSlot] {
    guard !options.excludesGuardians else { return slots }
    if let staying {
      console.report(
        "\(staying.sentence) can open it, as the last archive (--guardians none leaves them out)")
      return slots + [.guardians(staying)]
    }
    guard slots.guardians == nil, let gone = last?.slots.lazy.compactMap(\.guardians).first else {
      return slots
    }
    isLacking = true
    console.warning(
      "the last archive opens with \(gone.threshold) of \(gone.shareTags.count) guardians, and this one does not: "
        + "their public file is not known here. Use --guardians FILE, or --guardians none to leave them out"
    )
    return slots
  }
}

extension GuardianSet {
  /// The guardians in a few words.
  var sentence: String { "\(threshold) of \(shareTags.count) guardians" }
}
