internal import FuekiArchive
internal import FuekiCrypto
internal import FuekiSystem

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
