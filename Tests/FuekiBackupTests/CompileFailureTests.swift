import FuekiSystem
import TestSupport
import Testing

/// A stage cannot be called with what an earlier stage has not checked: such code does not compile.
@Suite struct CompileFailureTests {
  struct Snippet: CustomTestStringConvertible, Sendable {
    let name: String
    let body: String
    /// The compiler's complaint; nil if it must compile.
    let complaint: String?
    var testDescription: String { name }
  }

  static let snippets = [
    Snippet(
      name: "stages in their order compile",
      body: """
        let intact = try stored.verify().intact!
        let open = try intact.unlock(with: secrets)
        let plan: RestorePlan = try open.decryptShares(.everything, into: nil)
        _ = plan
        """, complaint: nil),
    Snippet(
      name: "an archive that was not verified cannot be opened",
      body: "_ = try stored.unlock(with: secrets)", complaint: "has no member 'unlock'"),
    Snippet(
      name: "an intact archive cannot be made from a stored one by hand",
      body: "_ = IntactArchive(stored)", complaint: "initializer is inaccessible"),
    Snippet(
      name: "what is left of a damaged archive is another type",
      body: """
        let salvaged = try stored.verify().damaged!.salvage(with: secrets)
        _ = try salvaged.decryptShares(.everything, into: nil)
        """, complaint: nil),
    Snippet(
      name: "a damaged archive cannot be opened as an intact one",
      body: "_ = try stored.verify().damaged!.unlock(with: secrets)", complaint: "has no member 'unlock'"),
    Snippet(
      name: "what is left of a damaged archive does not pass for an open one",
      body: "let open: OpenArchive = try stored.verify().damaged!.salvage(with: secrets); _ = open",
      complaint: "cannot convert value of type 'SalvagedArchive'"),
    Snippet(
      name: "an archive that was found and not opened has no records",
      body: "func read(_ archive: Archive) { _ = archive.records }", complaint: "has no member 'records'"),
    Snippet(
      name: "shares of an archive that was not authenticated cannot be decrypted",
      body: "_ = try stored.verify().intact!.decryptShares(.everything, into: nil)",
      complaint: "has no member 'decryptShares'"),
    Snippet(
      name: "a restore plan cannot be made by hand",
      body: "_ = RestorePlan(archive: try stored.verify().intact!.unlock(with: secrets))",
      complaint: "initializer is inaccessible"),
    Snippet(
      name: "a share cannot be opened outside the stage that decrypts shares",
      body: "_ = try stored.verify().intact!.unlock(with: secrets).open(share: [], id: [])",
      complaint: "inaccessible due to 'package' protection level"),
  ]

  /// The folder that the build left its modules in.
  static var build: String? {
    guard let binary = BuiltBinary.path, let slash = binary.lastIndex(of: "/") else { return nil }
    return String(binary[..<slash])
  }

  /// The compiler's messages about all snippets, each in a file of its own, from one run.
  private static let messages = Result { () throws -> String in
    let build = try #require(Self.build)
    let sources = "\(SourceTree.path)/Sources"
    let names = try Directory.open(sources).list().compactMap(\.text)
    func folders(in root: String, _ ending: String = "") -> [String] {
      names.map { "\(root)/\($0)\(ending)" }.filter {
        (try? Directory.open($0).contains("module.modulemap")) == true
      }
    }
    let folder = try TemporaryDirectory()
    for (place, snippet) in snippets.enumerated() {
      let source = """
        import FuekiArchive
        import FuekiBackup
        import FuekiWallet
        func attempt\(place)(_ stored: StoredArchive, _ secrets: UnlockingSecrets) throws {
        \(snippet.body)
        }
        """
      try folder.write([UInt8](source.utf8), to: "attempt\(place).swift")
    }
    let result = try BuiltBinary.run(
      program: "/usr/bin/env",
      [
        "swiftc", "-typecheck", "-wmo", "-swift-version", "6", "-I", "\(build)/Modules",
      ] + snippets.indices.map { folder.path("attempt\($0).swift") }
        + folders(in: sources).flatMap { ["-I", $0] }
        + folders(in: build, ".build").flatMap { ["-Xcc", "-fmodule-map-file=\($0)/module.modulemap"] },
      environment: ["PATH": Environment.get("PATH") ?? "/usr/bin:/bin", "HOME": folder.path], timeout: 400)
    return result.errors + result.text
  }

  @Test(.enabled(if: build != nil, "the product is not built"), arguments: snippets)
  func `stage types`(_ snippet: Snippet) throws {
    let place = try #require(Self.snippets.firstIndex { $0.name == snippet.name })
    let messages = try Self.messages.get()
    let errors = messages.split(separator: "\n").filter {
      $0.contains("/attempt\(place).swift:") && $0.contains(" error: ")
    }
    if let complaint = snippet.complaint {
      #expect(errors.contains { $0.contains(complaint) }, "\(snippet.name): \(messages)")
    } else {
      #expect(errors.isEmpty, "\(snippet.name): \(errors)")
    }
  }
}
