internal import FuekiArchive
internal import FuekiCrypto
internal import FuekiSystem

/// The sheet that one guardian prints and keeps.
struct GuardianSheet {
  /// Which guardian, from 1.
  let member: Int
  let count: Int
  let threshold: Int
  let identifier: UInt16
  let vaultID: VaultID
  /// The day the words were made, such as 2026-11-21.
  let day: String
  let words: SharedSecret

  /// The file's name.
  var name: String { "guardian-\(member).txt" }

  /// The sheet as text, at most 80 columns wide but for the line that programs read.
  func text() throws(CryptoError) -> SecretBytes {
    var text = try SecretText(capacity: 8192)
    text.append(beginning)
    words.bytes.withBytes { Self.appendTable(of: $0, to: &text) }
    text.append(advice)
    text.append("\(GuardianShareFile.marker) ")
    words.bytes.withBytes { text.append($0) }
    text.append("\n")
    return try text.finish()
  }

  private var beginning: String {
    """
    FUEKI GUARDIAN SHEET \(member) of \(count)

    The words below are one of \(count) shares of a key that opens the backups of a
    wallet. Any \(threshold) of the \(count) shares open them together. Fewer tell nothing.

      guardian   \(member) of \(count)
      needed     \(threshold) shares
      vault      \(vaultID.hex)
      set        \(identifier)
      made       \(day)


    """
  }

  private var advice: String {
    """

    Keep it safe
      Print this sheet, or copy the words by hand, and check them (below).
      Then delete the file. Keep the paper dry, out of sight, and where you or
      your heirs find it in ten years.
      Tell the words only to the wallet's owner or heirs, and only when you
      are sure that it is they who ask.
      If the sheet is lost or seen by others, tell the owner: new shares can
      be made for the backups to come.

    Do not
      Photograph or mail it, type it into a web site, or keep it in one place
      with another guardian's sheet.
      The words are not a wallet's seed phrase. No wallet can use them, and
      no honest person will ask you to try.

    How to check that your share is intact, without the others
      fueki-backup guardians check FILE
      FILE is this file, or another with the words.

    How \(threshold) shares bring the wallet back
      fueki-backup restore ARCHIVE --guardian-shares FILE FILE ...

    The same words on one line, for programs:

    """
  }

  /// The words, numbered down three columns.
  private static func appendTable(of words: Span<UInt8>, to text: inout SecretText) {
    let count = words.indices.count { words[$0] == UInt8(ascii: " ") } + 1
    let rows = (count + 2) / 3
    for row in 0..<rows {
      for place in stride(from: row, to: count, by: rows) {
        let number = "\(place + 1)"
        let word = wordRange(place, in: words)
        text.append(String(repeating: " ", count: 6 - number.utf8.count) + "\(number). ")
        text.append(words.extracting(word))
        guard place + rows < count else { continue }
        text.append(String(repeating: " ", count: 12 - word.count))
      }
      text.append("\n")
    }
  }

  /// Returns the range of a word among words that are separated by single spaces.
  private static func wordRange(_ place: Int, in words: Span<UInt8>) -> Range<Int> {
    var start = 0
    for _ in 0..<place {
      while words[start] != UInt8(ascii: " ") { start += 1 }
      start += 1
    }
    var end = start
    while end < words.count, words[end] != UInt8(ascii: " ") { end += 1 }
    return start..<end
  }
}

/// The folder that `guardians split` writes: the public file and the sheets, all or nothing.
struct GuardianFolder {
  let publicFile: String
  /// The sheets' paths, in member order.
  let sheets: [String]

  private static let publicName = "guardians.txt"
  private let path: String
  private let names: [String]

  /// Refuses a folder that has anything in it: sheets of two sets in one place would be mixed up.
  static func check(_ path: String) throws {
    let isEmpty: Bool
    do throws(SystemError) {
      isEmpty = try Directory.open(path).list().isEmpty
    } catch {
      guard error.isNotFound else { throw error }
      return
    }
    guard isEmpty else {
      throw Failure(
        .wouldOverwrite, "\(path) is not empty", meaning: "nothing was written",
        hint: "name a new folder with --output")
    }
  }

  init(_ path: String, publicText: String, sheets: [GuardianSheet]) throws {
    try Directory.makePrivateDirectories(path)
    let folder = try Directory.open(path)
    self.path = path
    names = [Self.publicName] + sheets.map(\.name)
    publicFile = "\(path)/\(Self.publicName)"
    self.sheets = sheets.map { "\(path)/\($0.name)" }
    do {
      try Self.write(Array(publicText.utf8).span, to: Self.publicName, in: folder)
      for sheet in sheets {
        let text = try sheet.text()
        try text.withBytes { try Self.write($0, to: sheet.name, in: folder) }
      }
      try folder.sync()
    } catch {
      remove()
      throw error
    }
  }

  /// Removes the written files if they turned out to be wrong.
  func remove() {
    guard let folder = try? Directory.open(path) else { return }
    for name in names { try? folder.remove(name) }
  }

  private static func write(_ text: Span<UInt8>, to name: String, in folder: borrowing Directory) throws {
    let file = try folder.createFile(name)
    try file.pwriteAll(text, at: 0)
    try file.sync()
  }

  /// The words that were read back differ from the key that was split.
  static let notGivenBack = Failure(
    .failed, "the words that were read back do not lead to the key",
    meaning: "the disk or the memory of this machine is failing. Nothing was kept",
    hint: "use another machine")
}
