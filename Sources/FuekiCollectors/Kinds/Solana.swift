internal import FuekiSources
package import FuekiCrypto
internal import FuekiSystem
internal import FuekiWallet

extension CollectorKind {
  /// Keys of Solana's command line and validators.
  static let solana = CollectorKind(
    SolanaCollector.kind, "keys of Solana's command line and validators", reach: .tree, guide: .solana,
    programs: [
      WalletProgram(
        id: "solana", title: "Solana command line", folders: [".config/solana"],
        places: [SolanaCollector.place],
        beside: [".config/solana/*.json", ".config/solana/*/*.json"])
    ],
    fileNames: WalletNames(exact: ["id.json"], certain: ["*keypair.json"], possible: ["*.json"]),
    limit: SolanaKey.byteCountLimit, what: "key of Solana", recognises: { SolanaCollector.isLikely($0) },
    look: SolanaCollector.look)
}

/// Unencrypted keys of Solana's programs.
///
/// The public key after each seed must match the seed.
enum SolanaCollector {
  static let kind = "solana"
  static let format = "solana-keypair"

  /// The folder of the command line's keys, of which a validator's may not run twice.
  static let place = {
    var place = WalletPlace.folder(
      ".config/solana", of: ["id.json", "*-keypair.json"], kind: kind, .never, [.clearSecret])
    place.dangerByName = (.signsTwice, isValidators)
    return place
  }()

  /// Whether a file is a short list of small numbers.
  static func isLikely(_ beginning: Span<UInt8>) -> Bool {
    guard beginning.count <= SolanaKey.byteCountLimit,
      let bytes = try? SecretBytes(copying: beginning)
    else { return false }
    do {
      _ = try SolanaKey(reading: bytes).stated
      return true
    } catch {
      return false
    }
  }

  static func look(at found: borrowing FoundFile, _ asked: Asked) throws -> Look {
    let name = found.nameText
    var kept = Kept(format: format)
    kept.program = "solana"
    if isValidators(found.lastName) { kept.hazards = [.validator] }
    do {
      let key = try SolanaKey(reading: found.bytes())
      let address = Base58.encode(key.stated)
      let isRight = try key.derived() == key.stated
      kept.findings = [
        asked.finding(name, isRight ? .proved(.publicKey) : .faulty(.secretDiffers), detail: address)
      ]
      // Hazards belong to the file: the wallet's record alone cannot sign.
      if isRight { kept.wallets = [wallet(name, address)] }
    } catch SolanaKey.Refusal.otherFile {
      return .other(reason: "it is no key of Solana")
    } catch SolanaKey.Refusal.length(let count) {
      // Any short list of numbers qualifies. Only those with a key's length or name are damaged keys.
      guard count == 32 || asked.kind.fileNames.isWallet(FileName.text(found.lastName)) else {
        return .other(reason: "it is a list of \(count) numbers, and no key of Solana")
      }
      kept.findings = [asked.finding(name, .faulty(.length), detail: "\(count)")]
    }
    return .wallet(kept)
  }

  /// Whether a name is that of a validator's key: two machines with one of these sign against each other.
  @Sendable private static func isValidators(_ name: [UInt8]) -> Bool {
    let name = String(decoding: name, as: UTF8.self).lowercased()
    return ["validator", "vote", "withdrawer", "identity"].contains { name.contains($0) }
  }

  private static func wallet(_ name: String, _ address: String) -> Wallet {
    var wallet = Wallet()
    wallet.id = ForeignNames.packed("solana wallet", address)
    wallet.name = name
    wallet.kind = WalletKind.hot.rawValue
    wallet.chainFamily = "solana"
    wallet.address = PackedText.pack(address)
    return wallet
  }
}

/// A key of Solana's command line: a JSON array of the 32 bytes of a seed and the 32 of its public key.
package struct SolanaKey: ~Copyable {
  /// Why a file is not such a key.
  package enum Refusal: Error, Equatable {
    /// It is of another kind.
    case otherFile
    /// It is a list of numbers, but not 64 bytes.
    case length(Int)
  }

  /// The limit of such a file: numbers of up to three digits, one per line and indented.
  static let byteCountLimit = 8 << 10

  /// The seed, 32 bytes.
  let seed: SecretBytes
  /// The public key stated in the file.
  package let stated: [UInt8]

  /// Parses a complete file.
  package init(reading file: borrowing SecretBytes) throws {
    let numbers = try Self.numbers(file)
    guard numbers.count == 64 else { throw Refusal.length(numbers.count) }
    seed = try numbers.copy(0..<32)
    stated = numbers.withBytes { bytes in (32..<64).map { bytes[$0] } }
  }

  /// Computes the public key of the seed.
  package func derived() throws(CryptoError) -> [UInt8] { try Ed25519.publicKey(seed: seed).bytes }

  private static func numbers(_ file: borrowing SecretBytes) throws -> SecretBytes {
    guard file.count <= byteCountLimit else { throw Refusal.otherFile }
    var numbers = try SecretBytes(count: file.count)
    let count: Int? = file.withBytes { text in
      numbers.withMutableBytes { numbers in Self.read(text, into: &numbers) }
    }
    guard let count else { throw Refusal.otherFile }
    return try numbers.copy(0..<count)
  }

  /// Parses `[n, n, …]`; nil for anything else.
  ///
  /// Each number takes at least two characters of the text, so the output is long enough.
  private static func read(_ text: Span<UInt8>, into numbers: inout MutableSpan<UInt8>) -> Int? {
    enum Place { case start, first, digits, behind, next, end }
    var (place, value, digitCount, count) = (Place.start, 0, 0, 0)
    for index in text.indices {
      let character = text[index]
      let isBlank = [0x20, 0x09, 0x0a, 0x0d].contains(character)
      switch (place, character) {
      case (.start, UInt8(ascii: "[")): place = .first
      case (.first, 0x30...0x39), (.next, 0x30...0x39), (.digits, 0x30...0x39):
        value = (place == .digits ? value * 10 : 0) + Int(character - 0x30)
        digitCount = place == .digits ? digitCount + 1 : 1
        guard value < 256, digitCount <= 3 else { return nil }
        place = .digits
      case (.digits, UInt8(ascii: ",")), (.digits, UInt8(ascii: "]")), (.behind, UInt8(ascii: ",")),
        (.behind, UInt8(ascii: "]")), (.first, UInt8(ascii: "]")):
        if place != .first {
          numbers[count] = UInt8(truncatingIfNeeded: value)
          count += 1
        }
        place = character == UInt8(ascii: ",") ? .next : .end
      case (.digits, _) where isBlank: place = .behind
      case (_, _) where isBlank: break
      default: return nil
      }
    }
    return place == .end ? count : nil
  }
}
