internal import FuekiArchive

/// The parts of a recovery kit that say how.
enum KitAdvice {
  /// From a bare machine to the wallet.
  static func steps(_ facts: KitFacts) -> KitPage.Section {
    let signer = facts.signer == nil ? "" : " --trusted-signer SIGNER"
    let known = facts.checkpoint == nil ? " --known NEWEST" : " --checkpoint NEWEST"
    let names =
      signer.isEmpty
      ? "DIR is that folder" : "DIR is that folder, SIGNER the signer’s 64 digits without spaces"
    let code = facts.checkpoint == nil ? "NEWEST the text of code 1" : "NEWEST a file with the text of code 1"
    return KitPage.Section(
      title: "How to bring the wallet back", place: .below,
      items: [
        .step(
          "Get the source of the program, fueki-backup"
            + (facts.source.map { ": \($0)" } ?? ": ______________________________")
            + ". On Debian 12 with Swift 6.3, in its folder:",
          commands: [
            "./.ci/setup && swift build -c release --product fueki-backup",
            "sudo .build/release/fueki-backup install --prefix /usr/local",
          ]),
        .step(
          "Get the files that end with .fueki into one folder: plug in the disk, or sign in to the service and wait "
            + "for the downloads. See that they are whole:",
          commands: [
            "fueki-backup list DIR", "fueki-backup verify latest --target DIR\(signer)\(known)",
          ]),
        .prose(
          "\(names), \(code); leave out what you cannot type. The newest archive has number \(facts.sequence) "
            + "or a higher one: if not, archives are missing."),
        .step(
          "Restore. \(opening(facts)), then for a new one for this machine.",
          commands: ["fueki-backup restore latest --target DIR\(signer)"]),
        .step(
          "Make no more backups on the old machine, and print a new kit.",
          commands: []),
      ])
  }

  /// What `restore` asks for, and what it can be given instead.
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
    guard hasPassphrase else { return "Give it \(given). It asks for what is missing" }
    return "It asks for the passphrase" + (ways.isEmpty ? "" : " (\(given))")
  }

  /// Enough for a stranger who can program, with the format's own page.
  static let format = KitPage.Section(
    title: "If the program cannot be had any more", place: .fine,
    items: [
      .prose(
        "fueki-archive(5), a manual page, states the format in full; TestVectors/reader.py in the source reads it with 800 "
          + "lines of Python, pynacl and zstandard. Keep both with the archives. In outline (little-endian):"),
      .prose(
        "File: 89 46 4B 41 0D 0A 1A 0A, u16 major 1, u16 minor, u32 L, L bytes of header fields (u16 tag, u32 length, "
          + "value: 8002 archive id, 8003 vault id, 8008 slots), SHA-256 of all that, N chunks of 16,384 + 16 bytes, a "
          + "trailer of 256 bytes that begins with how many chunks profile, history and secrets have, N × 32 bytes of "
          + "checksums, header again, trailer again."),
      .prose(
        "Keys: a passphrase (UTF-8, NFKC) gives 32 bytes by Argon2id 1.3 with its slot’s salt, KiB and passes; "
          + "HKDF-SHA-256 (salt: archive id; info: “fueki/1 slot”, type, mask, parameters; 64 bytes) gives a wrapping key "
          + "and a commitment; XChaCha20-Poly1305 (libsodium’s, nonce 0) opens the root keys. Other slots: X25519 or X-Wing as "
          + "age has them, SLIP-39 words of such a key, or 16 bytes of an age plugin. HKDF of a root key gives a stream’s "
          + "key and 16 bytes of nonce, the other 8 are the chunk’s number, bit 63 set in the last."),
      .prose(
        "A stream ends with its index, u32 index length, “FKIX”, and is made of blocks, stored or one zstd frame each, of "
          + "records: varint length, Protocol Buffers message (records.proto). A key share is sealed once more."
      ),
    ])
}
