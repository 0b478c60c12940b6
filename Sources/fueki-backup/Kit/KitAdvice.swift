internal import FuekiArchive

/// The parts of a recovery kit that say how.
enum KitAdvice {
  /// Returns the steps from a bare machine to the wallet, for a stranger, and optional checks.
  static func steps(_ facts: KitFacts) -> [KitPage.Section] {
    let signer = facts.signer == nil ? "" : " --trusted-signer SIGNER"
    let known = facts.checkpoint == nil ? " --known NEWEST" : " --checkpoint NEWEST"
    let names =
      signer.isEmpty
      ? "DIR is their folder" : "DIR is their folder, SIGNER the signer’s digits without spaces"
    let code = facts.checkpoint == nil ? "NEWEST the text of code 1" : "NEWEST a file with the text of code 1"
    let check = KitPage.Item.prose(
      "\(names), \(code). Leave out what you cannot type:")
    let commands = KitPage.Item.commands([
      "fueki-backup list DIR", "fueki-backup verify latest --target DIR\(signer)\(known)",
      "fueki-backup restore latest --target DIR\(signer)",
    ])
    let source = facts.source.map { ": \($0)" } ?? ": ______________________________"
    let newest =
      "The newest has number \(facts.sequence) or a higher one: if not, archives are missing."
    guard let program = facts.program else {
      return [
        KitPage.Section(
          title: "Three steps that bring it back", place: .below,
          items: [
            .step(
              "Get the files that end with .fueki into one folder, from the disk or the service. \(newest)",
              commands: []),
            .step(
              "Get the program, fueki-backup\(source). From its source, on Debian 12 with Swift 6.3:",
              commands: [
                "./.ci/setup && swift build -c release --product fueki-backup",
                "sudo .build/release/fueki-backup install --prefix /usr/local",
              ]),
            .step(
              "Run fueki-backup restore. \(opening(facts)), then, for a Fueki wallet, for a new one for this machine\(files(facts)).",
              commands: []),
            check, commands,
          ])
      ]
    }
    if let page = program.page {
      return [
        KitPage.Section(
          title: "Three steps that open it on Windows, macOS or Linux", place: .below,
          items: [
            .step(
              "Plug the disk into a computer that is yours. In its folder \(program.folder) open a terminal (see START-HERE.txt on "
                + "the disk). Type the line for your system: its number must \(ends(page)). If not, stop:",
              commands: digestCommands(of: ProgramBeside.page) + [page]),
            .step(
              "Double-click \(ProgramBeside.page), which a browser opens.",
              commands: []),
            .step(
              "Choose the newest archive and type what opens it. The page shows what is in it and saves the files. \(newest)",
              commands: []),
          ]),
        KitPage.Section(
          title: "To bring everything back, on Linux", place: .below,
          items: [
            .prose(
              "In the same folder, compare the program (it must \(ends(program.digest))), and run it. \(opening(facts))\(files(facts))."
            ),
            .commands(["sha256sum \(ProgramBeside.name)", program.digest, "./\(ProgramBeside.name)"]),
            .prose("With the whole program, fueki-backup\(source). \(names), \(code):"),
            .commands(["fueki-backup verify latest --target DIR\(signer)\(known)"]),
          ]),
      ]
    }
    return [
      KitPage.Section(
        title: "Three steps that bring it back", place: .below,
        items: [
          .step(
            "Plug the disk into a computer with Linux that is yours. In its folder \(program.folder) open a terminal. "
              + "Type this: its number must \(ends(program.digest)). If not, stop:",
            commands: ["sha256sum \(ProgramBeside.name)", program.digest]),
          .step(
            "Run the program. If it says “Permission denied”, START-HERE.txt on the disk helps:",
            commands: ["./\(ProgramBeside.name)"]),
          .step(
            "Type the words. \(opening(facts)), then, for a Fueki wallet, for a new one for this machine\(files(facts)). \(newest)",
            commands: []),
        ]),
      KitPage.Section(
        title: "For an expert", place: .below,
        items: [.prose("With the whole program, fueki-backup\(source)"), check, commands]),
    ]
  }

  /// The sixteen digits that a person compares.
  private static func ends(_ digest: String) -> String {
    "begin with \(digest.prefix(8)) and end with \(digest.suffix(8))"
  }

  /// The commands that compute a file's SHA-256, each after the name of its system.
  static func digestCommands(of file: String) -> [String] {
    [
      "Windows: certutil -hashfile \(file) SHA256", "macOS:   shasum -a 256 \(file)",
      "Linux:   sha256sum \(file)",
    ]
  }

  /// The last question of `restore`, if the archive has files of other programs.
  private static func files(_ facts: KitFacts) -> String {
    guard let count = facts.placedFiles, count > 0 else { return "" }
    return ", and then whether \(PlacedFileCount.text(count)) \(count == 1 ? "goes" : "go") back into place"
  }

  /// Returns the secrets that `restore` requests, and their alternatives.
  private static func opening(_ facts: KitFacts) -> String {
    let advice = Set(facts.slots.map(\.type)).sorted { $0.rawValue < $1.rawValue }.compactMap(\.advice)
    let hasPassphrase = advice.contains(where: \.asksForPassphrase)
    var options: Set<String> = []
    var ways: [String] = []
    for kind in advice {
      guard let option = kind.option, options.insert(option).inserted else { continue }
      let joint = kind.asksForPassphrase ? "with it " : hasPassphrase || !ways.isEmpty ? "or " : ""
      ways.append(joint + option)
    }
    let given = ways.joined(separator: ", ")
    guard hasPassphrase else { return "Use it with \(given). It asks for what is missing" }
    return "It asks for the passphrase" + (ways.isEmpty ? "" : " (\(given))")
  }

  /// Returns enough for a programmer who uses the format's own page, or only its place if that is next to the archives.
  static func format(_ facts: KitFacts) -> KitPage.Section {
    let title = "If you cannot get the program any more"
    guard facts.program == nil else {
      return KitPage.Section(
        title: title, place: .fine,
        items: [
          .prose(
            "fueki-archive(5), which is next to the program on the disk, states the format in full: XChaCha20-Poly1305 under "
              + "keys that Argon2id derives from the passphrase, zstd, Protocol Buffers. reader.py, there too, reads it "
              + "with Python, pynacl and zstandard.")
        ])
    }
    return KitPage.Section(
      title: title, place: .fine,
      items: [
        .prose(
          "fueki-archive(5) states the format, and reader.py in the source reads it: keep both with the archives. In outline, "
            + "little-endian:"),
        .prose(
          "File: 89 46 4B 41 0D 0A 1A 0A, u16 major 1, u16 minor, u32 L, L bytes of fields (u16 tag, u32 length, value: "
            + "8002 archive id, 8003 vault id, 8008 slots), SHA-256 of all that, N chunks of 16,384 + 16 bytes, 256 bytes "
            + "with each stream’s count of chunks, N × 32 bytes of checksums."),
        .prose(
          "Keys: passphrase (UTF-8, NFKC), Argon2id 1.3 (salt, KiB, passes), HKDF-SHA-256 (archive id; “fueki/1 "
            + "slot”, type, mask, parameters), XChaCha20-Poly1305 (nonce 0) opens the root keys; HKDF of those: a "
            + "stream’s key and 16 bytes of nonce, then the chunk’s number, bit 63 in the last. Other slots: age’s "
            + "X25519, X-Wing or plugins, SLIP-39 words."),
        .prose(
          "Streams: blocks, zstd or stored, of records (length, Protocol Buffers)."
        ),
      ])
  }
}
