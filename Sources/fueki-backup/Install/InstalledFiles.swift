internal import ArgumentParser
internal import FuekiSystem

/// All that belongs to an installed program: itself, its pages, its schemas, and what shells complete with.
struct InstalledFiles {
  /// The longest file that is read; a program with debug information has some 100 MB.
  private static let limit = 1 << 30
  private let sources: String

  /// - Parameter sources: the source tree, or nil to look for one above the program and then the current folder.
  /// - Throws: ``CommandError/usage(_:)`` if there is none.
  init(sources: String?) throws {
    let program = CurrentProcess.path ?? ""
    let candidates = sources.map { [$0] } ?? Self.foldersAbove(program) + ["."]
    guard let found = candidates.first(where: Self.hasPages) else {
      throw CommandError.usage("the manual pages are not here: name the source tree with --from")
    }
    self.sources = found
  }

  private static func hasPages(_ folder: String) -> Bool {
    guard let directory = try? Directory.open("\(folder)/man") else { return false }
    return (try? directory.contains("fueki-backup.1")) ?? false
  }

  /// Returns the folders above a build, which include its sources.
  static func foldersAbove(_ path: String) -> [String] {
    var parts = path.split(separator: "/", omittingEmptySubsequences: false).dropLast()
    var folders: [String] = []
    while parts.count > 1 {
      folders.append(parts.joined(separator: "/"))
      parts.removeLast()
    }
    return folders
  }

  func all() throws -> [InstalledFile] {
    let program = try File.open(CurrentProcess.executable).readAll(limit: Self.limit)
    return try pages() + schemas() + reader() + completions()
      + [InstalledFile(path: "bin/fueki-backup", bytes: program, permissions: 0o755)]
  }

  private func pages() throws -> [InstalledFile] {
    try files(in: "man") { name in
      guard let number = name.last, number.isNumber, name.hasPrefix("fueki-") else { return nil }
      return "share/man/man\(number)/\(name)"
    }
  }

  /// Returns the files that read archives without this program.
  ///
  /// `kit bundle` puts them next to the archives.
  private func reader() throws -> [InstalledFile] {
    try files(in: "TestVectors") { $0 == "reader.py" ? "share/fueki-backup/\($0)" : nil }
  }

  private func schemas() throws -> [InstalledFile] {
    try files(in: "Sources/fueki-backup/Schemas") { name in
      name.hasSuffix(".json") ? "share/fueki-backup/schemas/\(name)" : nil
    }
  }

  private func completions() -> [InstalledFile] {
    [
      ("share/bash-completion/completions/fueki-backup", CompletionShell.bash),
      ("share/zsh/site-functions/_fueki-backup", .zsh),
      ("share/fish/vendor_completions.d/fueki-backup.fish", .fish),
    ].map { path, shell in
      let script = CompletionScript.withOtherNames(FuekiBackupCommand.completionScript(for: shell))
      return InstalledFile(path: path, bytes: Array(script.utf8) + [UInt8(ascii: "\n")], permissions: 0o644)
    }
  }

  private func files(in folder: String, _ place: (String) -> String?) throws -> [InstalledFile] {
    let directory = try Directory.open("\(sources)/\(folder)")
    var files: [InstalledFile] = []
    for entry in try directory.list() where entry.kind == .file {
      guard let name = entry.text, let path = place(name) else { continue }
      let bytes = try directory.openFile(name).readAll(limit: Self.limit)
      files.append(InstalledFile(path: path, bytes: bytes, permissions: 0o644))
    }
    return files.sorted { $0.path < $1.path }
  }
}
