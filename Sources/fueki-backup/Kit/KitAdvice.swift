/// The parts of a recovery kit that say how.
enum KitAdvice {
  /// The commands that compute a file's SHA-256, each after the name of its system.
  static func digestCommands(of file: String) -> [String] {
    [
      "Windows: certutil -hashfile \(file) SHA256", "macOS:   shasum -a 256 \(file)",
      "Linux:   sha256sum \(file)",
    ]
  }

  /// Returns enough for a programmer who uses the format's own page, or only its place if that is next to the archives.
  ///
  /// - Parameters:
  ///   - facts: the facts of the kit.
  ///   - isBrief: whether there is no room for an outline of the format.
  /// - Returns: the section.
  static func format(_ facts: KitFacts, isBrief: Bool) -> KitPage.Section {
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
    guard !isBrief else {
      return KitPage.Section(
        title: title, place: .fine,
        items: [
          .prose(
            "fueki-archive(5) states the format: XChaCha20-Poly1305 under keys that Argon2id derives from the passphrase, or "
              + "that SLIP-39 words restore, zstd, Protocol Buffers. reader.py in the source reads it with Python, pynacl "
              + "and zstandard. Keep both with the archives.")
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
