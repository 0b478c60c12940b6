internal import FoundationEssentials
internal import FuekiSources
internal import FuekiCrypto
internal import FuekiSystem
internal import FuekiWallet

extension CollectorKind {
  /// LND's static channel backup.
  static let lnd = CollectorKind(
    LNDCollector.kind, "static channel backups of LND (channel.backup)", reach: .tree, guide: .lnd,
    programs: [
      WalletProgram(
        id: "lnd", title: "LND", group: .lightning, folders: [".lnd"],
        locks: [.held(".lnd/data/graph/*/channel.db"), .held(".lnd/data/chain/*/*/wallet.db")],
        places: [
          .one(".lnd/data/chain/*/*/channel.backup", kind: LNDCollector.kind, .always, .closesChannels),
          .one(".lnd/data/chain/*/*/wallet.db", .always, .closeFirst),
          .one(
            "umbrel/app-data/lightning/data/lnd/data/chain/*/*/channel.backup", kind: LNDCollector.kind,
            .always,
            .closesChannels),
        ],
        beside: [
          ".lnd/data/chain/*/*/*.backup", ".lnd/data/chain/*/*/*.db", ".lnd/data/chain/*/*/*.sqlite",
          ".lnd/data/graph/*/*.db", ".lnd/data/graph/*/*.sqlite",
        ]),
      WalletProgram(
        id: "lnd-export", title: "LND channel backup",
        // As LND, RTL and ThunderHub save them.
        places: ["*channel*.backup", "channel*.bak", "ChannelBackup-*.txt"].map {
          .export($0, kind: LNDCollector.kind, .always, .closesChannels)
        }),
    ],
    formats: [
      FileFormat(LNDCollector.format, fileNames: ["channel.backup"], hold: .channelBackup),
      FileFormat(
        "lnd-channel-db", fileNames: ["channel.db"], hold: .channels, heldNames: ["channel.sqlite"]),
    ],
    fileNames: WalletNames(exact: ["channel.backup"], certain: ["channel*.backup", "channel*.bak"]),
    hazards: [.lightning], limit: ChannelBackup.byteCountLimit, what: "channel.backup",
    recognises: { LNDExport.isLikely($0) }, look: LNDCollector.look)
}

/// LND's static channel backups, of all channels or of one.
///
/// It is encrypted with a key from the node's seed, which is elsewhere. If the source's password is the
/// node's root key (`xprv…` or `tprv…`), it is decrypted and parsed completely, but only the number of
/// channels is kept. If the password is the node's 24 words, only their form is checked.
enum LNDCollector {
  static let kind = "lnd"
  static let format = "lnd-channel-backup"

  static func look(at found: borrowing FoundFile, _ asked: Asked) throws -> Look {
    let name = FileName.text(found.lastName)
    guard !name.hasPrefix("channel.db"), !name.hasPrefix("channel.sqlite") else {
      return .withheld(
        reason: "an old copy of the channels' database forfeits their money. It is left out")
    }
    let content = try found.publicBytes()
    // A file named by the user may have any name. Others are recognised by name, or as output of lncli.
    guard found.isNamed || asked.kind.fileNames.isWallet(name) || LNDExport.isLikely(content.span) else {
      return .other(reason: "it is no channel.backup")
    }
    var finding = asked.finding(found.nameText, .notProved(.needsSeed))
    try judge(content, asked.proofPassword, &finding)
    // What is none by its form may be anything.
    var kept = Kept(format: format, isSecret: finding.result == .faulty(.malformed), finding)
    (kept.program, kept.hazards) = (kind, [.lightning])
    return .wallet(kept)
  }

  private static func judge(
    _ file: [UInt8], _ password: AskedPassword, _ finding: inout WalletFinding
  ) throws {
    var content = file
    if LNDExport.isLikely(file.span) {
      guard let export = LNDExport(file) else {
        finding.result = .faulty(.malformed)
        return
      }
      content = export.content
    } else if let export = LNDExport(text: file) {
      content = export.content
    }
    // An HTML page saved in place of the file: ciphertext does not start like one.
    guard !Self.isPage(content) else {
      finding.result = .faulty(.malformed)
      return
    }
    guard content.count >= ChannelBackup.emptyByteCount else {
      finding.result = .faulty(.length)
      return
    }
    guard let typed = try password.read() else { return }
    guard !typed.bytes.withBytes({ CipherSeed.isWhole($0) }) else {
      finding.result = .notProved(.notRead)
      return
    }
    let root = try trimmed(typed.bytes)
    for isTest in [false, true] {
      guard let key = try? ChannelBackup.key(below: root, isTest: isTest) else { break }
      guard let opened = try ChannelBackup.open(content.span, key: key) else { continue }
      do throws(BackedUpChannels.Problem) {
        finding.detail = "channels=\(try BackedUpChannels(readingAny: opened).channels.count)"
        // It makes the peers close the channels. The coins then belong to the seed, which is not in it.
        finding.result = .publicPart(.opened)
      } catch {
        finding.result = .faulty(error == .trailing || error == .truncated ? .length : .malformed)
      }
      return
    }
    finding.result = .notProved(.wrongPassword)
  }

  /// Whether the first bytes are those of an HTML page.
  private static func isPage(_ content: [UInt8]) -> Bool {
    let beginning = content.prefix(64).drop { $0 <= 0x20 || [0xEF, 0xBB, 0xBF].contains($0) }
    return beginning.first == UInt8(ascii: "<")
      && beginning.allSatisfy { 0x20..<0x7F ~= $0 || 0x09...0x0D ~= $0 }
  }

  /// Returns the key without surrounding white space.
  private static func trimmed(_ text: borrowing SecretBytes) throws(CryptoError) -> SecretBytes {
    let range = text.withBytes { bytes in
      var (start, end) = (0, bytes.count)
      while start < end, bytes[start] <= 0x20 { start += 1 }
      while end > start, bytes[end - 1] <= 0x20 { end -= 1 }
      return start..<end
    }
    return try text.copy(range)
  }
}

/// A channel backup as text: the output of `lncli exportchanbackup`, or a REST answer saved by nodes' web
/// pages.
///
/// `lncli` writes the backup of one channel or of all as hexadecimal in JSON. The REST interface uses base64,
/// with the backup of all channels one level deeper. RTL saves that answer as `channel-all.bak`. Some pages
/// save only the hexadecimal or base64 text.
struct LNDExport {
  private static let all = "multi_chan_backup"

  /// The decoded bytes.
  let content: [UInt8]

  /// Whether a file's first bytes are those of one in JSON.
  static func isLikely(_ beginning: Span<UInt8>) -> Bool {
    beginning.firstVisible == UInt8(ascii: "{")
      && (beginning.contains("\"chan_point\"") && beginning.contains("\"chan_backup\"")
        || beginning.contains("\"multi_chan_backup\""))
  }

  /// Parses a complete JSON file; nil if it is truncated or another kind of file.
  init?(_ file: [UInt8]) {
    guard let root = try? JSONDocument(file, limit: ChannelBackup.byteCountLimit).root else { return nil }
    let all = root.member(Self.all)
    let member = root.member("chan_backup") ?? all?.member(Self.all) ?? all
    guard let text = member?.string, let content = Self.decode(text) else { return nil }
    self.content = content
  }

  /// Parses a complete file of only hexadecimal or base64; nil for any other.
  init?(text file: [UInt8]) {
    let text = file.span.extracting(file.span.textStart...)
    guard text.indices.allSatisfy({ 0x20..<0x7F ~= text[$0] || 0x09...0x0D ~= text[$0] }) else { return nil }
    let letters = text.indices.map { text[$0] }.filter { $0 > 0x20 }
    guard letters.count >= ChannelBackup.emptyByteCount,
      let content = Self.decode(String(decoding: letters, as: UTF8.self))
    else { return nil }
    self.content = content
  }

  private static func decode(_ text: String) -> [UInt8]? {
    let content = Hex.decode(text) ?? Data(base64Encoded: text).map(Array.init)
    return content.flatMap { $0.isEmpty ? nil : $0 }
  }
}

/// The 24 words of an LND node: its seed, enciphered with a passphrase.
///
///     version 1 ‖ enciphered seed 23 ‖ salt 5 ‖ CRC-32C 4
///
/// See the package aezeed of LND. The words are from BIP-39 but the phrase is not: another wallet may refuse
/// it or, worse, accept it. The seed is not deciphered, so the words of another node have the right form, too.
enum CipherSeed {
  private static let wordCount = 24
  private static let byteCount = 33
  private static let checkedByteCount = 29

  /// Whether a text is 24 listed words with the right checksum, of the known version.
  static func isWhole(_ text: Span<UInt8>) -> Bool {
    guard let places = MnemonicEntropy.places(text), places.count == wordCount else { return false }
    var bytes = [UInt8](repeating: 0, count: byteCount)
    for bit in 0..<8 * byteCount where places[bit / 11] >> (10 - bit % 11) & 1 == 1 {
      bytes[bit / 8] |= 0x80 >> UInt8(bit % 8)
    }
    let checksum = bytes[checkedByteCount...].reduce(UInt32(0)) { $0 << 8 | UInt32($1) }
    return bytes[0] == 0 && CRC32C.of(bytes[..<checkedByteCount]) == checksum
  }
}
