internal import FuekiArchive
internal import FuekiBackup
internal import FuekiCrypto

/// A recovery kit's page, before it is text or HTML.
struct KitPage {
  enum Item {
    case prose(String)
    /// A name and a value.
    ///
    /// The user may be asked for the end of the value.
    case fact(String, String, check: String?)
    /// A name and a few words.
    case line(String, String)
    case step(String, commands: [String])
    case commands([String])
    /// A line to write on by hand.
    case blank(String)
    /// The place of the passphrase.
    case secret(String)
  }

  /// Where HTML has a section.
  enum Place {
    case beside
    case below
    case fine
  }

  struct Section {
    let title: String
    let place: Place
    let items: [Item]
  }

  struct Code {
    let caption: String
    let text: String
  }

  /// How much a page says, from the most.
  enum Detail: CaseIterable {
    case full
    /// The format's outline is in a few words.
    case briefOutline
    /// The paths of the archives are shortened to one line as well.
    case briefPlaces
  }

  let title: String
  let subtitle: String
  /// The most important fact for the holder of the page.
  let notice: String
  let hasSecret: Bool
  let sections: [Section]
  let codes: [Code]
  let footer: String

  /// The limits for one page.
  private static let placeLimit = 4
  private static let lineLimit = 62
  private static let slotLimit = 6
  private static let blankLimit = 3
  private static let missingLimit = 3
  private static let walletLimit = 2

  /// Returns the page with the most details that fit on one page of text, or with the fewest if none fits.
  static func fitting(_ facts: KitFacts) -> KitPage {
    let pages = Detail.allCases.lazy.map { KitPage(facts, $0) }
    return pages.first(where: KitText.isOnePage) ?? KitPage(facts, .briefPlaces)
  }

  private init(_ facts: KitFacts, _ detail: Detail) {
    title = "Recovery kit: \(Self.short(facts.label, 36))"
    subtitle = "made \(Times.text(facts.made)) on \(facts.device) by \(Program.name)"
    hasSecret = facts.openedSlot != nil
    notice =
      hasSecret
      ? "THIS PAGE OPENS THE BACKUPS. Anyone who has it and one of the archives has the wallet. Lock it away, never "
        + "photograph or mail it, and delete the file from which you printed it."
      : "This page brings a wallet back from its sealed backups when its machine is gone. It holds no secret. "
        + "Keep it where your heirs find it, and not with the machine. "
        + "Once a passphrase is written on it, it opens the money: lock it away then."
    sections =
      [Self.places(facts, isBrief: detail == .briefPlaces), Self.contents(facts), Self.slots(facts)]
      .compactMap(\.self) + KitSteps(facts).sections
      + [Self.archives(facts), KitAdvice.format(facts, isBrief: detail != .full)]
    let identity = facts.checkpoint == nil ? "vault and newest archive" : "vault, signer and newest archive"
    var codes = [
      Code(caption: "Code 1: \(identity), which is NEWEST in the commands", text: facts.identityCode)
    ]
    if let places = facts.placesCode {
      codes.append(Code(caption: "Code 2: where the archives are", text: places))
    }
    self.codes = codes
    footer = "Once a year: fueki-backup kit test. It asks for the digits marked on this page."
  }

  private static func places(_ facts: KitFacts, isBrief: Bool) -> Section {
    let limit = facts.findings.isEmpty || hasRoom(facts) ? placeLimit : placeLimit - 1
    let lineCount = isBrief || facts.places.count > 2 ? 1 : 2
    var items = facts.places.prefix(limit).map { place in
      let path = Self.short(place.path, lineLimit * lineCount, keepingEnd: true)
      return Item.fact(place.kind, path, check: nil)
    }
    let more = facts.places.count - items.count
    if more > 0 { items.append(.prose("and \(more) more")) }
    return Section(
      title: "Whose it is, and where the archives are", place: .beside,
      items: [.blank("whose it is"), .blank("whom to call")] + items
        + [.blank("where the disk is, its label")])
  }

  /// A text that may be long, without its middle or its end.
  private static func short(_ text: String, _ limit: Int, keepingEnd: Bool = false) -> String {
    guard text.count > limit else { return text }
    return keepingEnd
      ? "\(text.prefix(limit / 3))…\(text.suffix(limit - limit / 3 - 1))" : "\(text.prefix(limit - 1))…"
  }

  private static func archives(_ facts: KitFacts) -> Section {
    func fact(_ name: String, _ hex: String) -> Item {
      .fact(
        name, CheckDigits.grouped(hex.dropLast(CheckDigits.count)) + " ",
        check: CheckDigits.grouped(hex.suffix(CheckDigits.count)))
    }
    let signer: Item =
      facts.signer.map { fact("signer", $0.hex) } ?? .fact("signer", "none: not signed", check: nil)
    let fingerprint: [Item] = facts.signer.map { [.fact("fingerprint", $0.fingerprint, check: nil)] } ?? []
    let base: [Item] =
      facts.base.map { base, isAtHand in
        let advice = isAtHand ? "keep both files" : "NOT HERE, but the history needs it"
        return [
          .fact("its base", "number \(base.sequence), \(base.digest.hex.prefix(12)): \(advice)", check: nil)
        ]
      } ?? []
    return Section(
      title: "Which archives they are", place: .beside,
      items: [
        fact("vault", facts.vault), signer,
      ] + fingerprint + [
        .fact("newest", "made \(Times.text(facts.created)), number ", check: "\(facts.sequence)"),
        fact("its id", facts.digest),
      ] + base)
  }

  /// Returns the contents and the gaps of a restore; nil if unknown to this machine.
  private static func contents(_ facts: KitFacts) -> Section? {
    let items = wallets(facts) + missing(facts)
    guard !items.isEmpty else { return nil }
    let lacksSeeds = facts.findings.contains { $0.result == .withoutSeed }
    let advice = "If a seed is left out, only its phrase on paper brings that money back."
    return Section(
      title: "Their contents, and what is missing", place: .beside,
      items: items + (lacksSeeds ? [.prose(advice)] : []))
  }

  /// With many slots or places there is less room for all else.
  private static func hasRoom(_ facts: KitFacts) -> Bool {
    facts.slots.count <= blankLimit && facts.places.count <= 2
  }

  /// Returns the findings on the wallets in it, the doubtful ones first.
  private static func wallets(_ facts: KitFacts) -> [Item] {
    let limit = hasRoom(facts) ? walletLimit : 1
    let more = facts.findings.count - limit
    return facts.findings.byUrgency.prefix(limit).enumerated().map { index, finding in
      let rest = more > 0 && index == limit - 1 ? " (and \(more) more: show)" : ""
      return .line("\(finding.kind) \(short(finding.name, 20))", finding.result.brief + rest)
    }
  }

  /// Returns the things to find elsewhere after a restore.
  private static func missing(_ facts: KitFacts) -> [Item] {
    // The base's line takes the room of one of these.
    let limit = missingLimit - (facts.base == nil ? 0 : 1)
    var items = facts.missing.prefix(limit).map { Item.line("NOT IN IT", short($0, 2 * lineLimit)) }
    let more = facts.missing.count - items.count
    if more > 0 { items.append(.line("NOT IN IT", "\(more) more parts: fueki-backup show ARCHIVE")) }
    return items
  }

  private static func slots(_ facts: KitFacts) -> Section {
    var items: [Item] = []
    // With many slots, one line has their common facts.
    let hasRoom = facts.slots.count <= blankLimit
    for slot in facts.slots.prefix(slotLimit) {
      let name = slot.name.map { " (\(Self.short($0, 22)))" } ?? ""
      items.append(.line("slot \(slot.number)\(name)", "\(kind(slot)), opens \(slot.opens)"))
      if facts.openedSlot == slot.number {
        items.append(.secret("passphrase"))
      } else if hasRoom {
        items.append(.blank(blank(slot)))
      }
    }
    let more = facts.slots.count - slotLimit
    if more > 0 { items.append(.prose("and \(more) more: fueki-backup key list ARCHIVE")) }
    if !hasRoom { items.append(.blank("where these are")) }
    return Section(
      title: "The keys that open them (also against quantum computers: \(facts.longTerm.short))",
      place: .beside, items: items)
  }

  private static func blank(_ slot: KitFacts.Slot) -> String {
    slot.type.advice?.note ?? "where it is"
  }

  private static func kind(_ slot: KitFacts.Slot) -> String {
    if let shares = slot.shares { return "the words of \(shares.needed) of \(shares.count) guardians" }
    return slot.type.advice?.opener ?? slot.type.name
  }
}

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
  /// A brief one has no outline of the format.
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
