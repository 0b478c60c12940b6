internal import FuekiCrypto

/// The kinds of slot.
///
/// One that this version does not know is skipped and named.
public struct SlotType: Hashable, Sendable {
  /// The type's number in the file.
  public let rawValue: UInt8

  init(rawValue: UInt8) { self.rawValue = rawValue }

  /// A passphrase.
  public static let passphrase = SlotType(rawValue: 1)
  /// A passphrase and a key file together.
  public static let passphraseAndKeyFile = SlotType(rawValue: 2)
  /// An X25519 key, as age has them.
  public static let x25519 = SlotType(rawValue: 3)
  /// Enough of the guardians' shares.
  public static let guardians = SlotType(rawValue: 4)

  /// The type's name, as people and scripts read it.
  public var name: String { format?.name ?? "unknown-\(rawValue)" }

  /// Whether this version can open such a slot.
  public var isKnown: Bool { format != nil }

  var format: SlotFormat? { SlotFormat.all.first { $0.type == self } }
}

/// What one type of slot is: its parameters' rules, what deriving costs, and how its secret comes about.
///
/// A new type is one file that makes such a value, and one line in ``all``.
struct SlotFormat: Sendable {
  /// Derives a slot's secret from what the caller has.
  ///
  /// It fails with ``ArchiveError/tooFewShares(_:)`` where the slot stays closed for a reason worth telling.
  typealias Derivation = () -> Result<SlotSecret, ArchiveError>

  let type: SlotType
  let name: String
  /// Whether bytes have this type's length, and numbers in range.
  let accepts: @Sendable (_ parameters: [UInt8]) -> Bool
  /// What Argon2id would cost; nil where there is none.
  let cost: @Sendable (_ parameters: [UInt8]) -> Argon2id.Cost?
  /// One derivation for each of the caller's secrets that may open the slot; none of them has run.
  let derivations: @Sendable (_ place: SlotPlace, _ given: UnlockingSecrets) -> [Derivation]

  /// Every type that this version can open.
  static let all: [SlotFormat] = [.passphrase, .passphraseAndKeyFile, .x25519, .guardians]
}

/// The secret of a slot, and how to make another slot that the same holder opens.
struct SlotSecret: Sendable {
  let secret: SharedSecret
  let again: NewSlot
  /// The secret has been shown to be this slot's, so that a commitment which differs is no mistake of the caller's.
  var mustOpen = false
}

/// A slot of a header that is being opened, as its type's rules need to see it.
struct SlotPlace: Sendable {
  /// From 1, as people see it.
  let number: Int
  let mask: ScopeMask
  let parameters: [UInt8]
  let vaultID: [UInt8]

  /// Runs a derivation, whose failure says something of the archive.
  func derive(_ body: () throws(CryptoError) -> SlotSecret) -> Result<SlotSecret, ArchiveError> {
    do throws(CryptoError) {
      return .success(try body())
    } catch {
      return .failure(self.error(error))
    }
  }

  /// What a failed derivation says of the archive.
  func error(_ error: CryptoError) -> ArchiveError {
    switch error {
    case .notAuthentic, .invalidPoint: .forged(.slot(number))
    default: .outOfMemory
    }
  }
}
