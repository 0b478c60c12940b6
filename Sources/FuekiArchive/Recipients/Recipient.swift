internal import FuekiSystem
public import FuekiCrypto

/// A recipient of sealed archives, like a recipient in age: it creates slots and opens none.
///
/// A type of slot is one file with its recipient, its ``Identity`` and its ``SlotKind``, and a line in
/// ``SlotKind/all``.
public protocol Recipient: Sendable {
  /// The type of its slots.
  var type: SlotType { get }
  /// Its public part as a line of text; nil if only a secret identifies it.
  var text: String? { get }
  /// The cost of a slot's derivation; nil if no passphrase is involved.
  var cost: Argon2id.Cost? { get }
  /// Whether its slots withstand quantum computers, as far as known in advance.
  var isForTheLongTerm: Bool { get }
  /// The secrets that open its slots if the writer has them, such as a passphrase; nil for a public key.
  var opener: UnlockingSecrets? { get }
  /// The digest of an archive that the opener has opened; nil if it was not tried.
  var openedArchive: Digest? { get }

  /// Draws the random parts of a slot's parameters, and derives the matching secret.
  ///
  /// - Throws: ``CryptoError``; ``PluginFailure`` if another program does it.
  func wrap(_ randomness: RandomSource) throws -> WrappingSecret
}

extension Recipient {
  /// Defaults to the type's property.
  public var isForTheLongTerm: Bool { type.isForTheLongTerm }
  /// Nil: the writer need not have the secret that opens the slot.
  public var opener: UnlockingSecrets? { nil }
  /// Nil: it was not tried.
  public var openedArchive: Digest? { nil }
}

/// A recipient of any kind in age's text format.
public enum RecipientText {
  /// Reads a public key in all lower or all upper case, or a plugin's recipient in lower case.
  ///
  /// - Parameters:
  ///   - text: `age1…`.
  ///   - plugins: runs a plugin's program when a slot is created.
  /// - Returns: a recipient.
  /// - Throws: ``AgeKeyError/recipient(_:)``, or ``CryptoError`` for a key whose slots could never be opened.
  public static func read(
    _ text: String, plugins: AgePlugins = .unattended
  ) throws -> any Recipient {
    if let plugin = try AgePluginRecipient(text) { return PluginRecipient(plugin, plugins) }
    let named = try AgeKey.recipient(text)
    for kind in SlotKind.all {
      guard case .key(named.form, let recipient) = kind.holder else { continue }
      return try recipient(named.key)
    }
    throw AgeKeyError.recipient(.otherKind)
  }
}

/// The secret that wraps a slot's root keys, and the parameters to derive it again.
public struct WrappingSecret: Sendable {
  /// The encoded parameters of the slot.
  public let parameters: [UInt8]
  /// The input of the wrapping key's derivation.
  public let secret: SharedSecret
  /// Whether the slot withstands quantum computers, if its type does not tell.
  public let isForTheLongTerm: Bool?

  /// Creates the result of ``Recipient/wrap(_:)``.
  public init(parameters: [UInt8], secret: SharedSecret, isForTheLongTerm: Bool? = nil) {
    self.parameters = parameters
    self.secret = secret
    self.isForTheLongTerm = isForTheLongTerm
  }
}

/// A caller's secret that may open slots of one type, like an identity in age.
protocol Identity: Sendable {
  /// Derives the secret of a slot of its type, which may turn out to be wrong.
  ///
  /// - Throws: ``ArchiveError/tooFewShares(_:)`` or ``ArchiveError/pluginFailed(_:)`` if the slot stays
  ///   locked for a reason to report; any other error ends the reading.
  func unwrap(_ slot: SlotPlace) throws(ArchiveError) -> UnwrappingSecret
}

/// A slot of a header being opened, as identities see it.
struct SlotPlace: Sendable {
  /// The slot's number, from 1.
  let number: Int
  let parameters: [UInt8]
  let vaultID: VaultID
  /// The parameters of all slots of its type in the header, and its index among them.
  let peers: [[UInt8]]
  let peer: Int

  /// Runs a derivation whose failure is a fault of the archive.
  func derive<Value>(_ body: () throws(CryptoError) -> Value) throws(ArchiveError) -> Value {
    do throws(CryptoError) {
      return try body()
    } catch {
      throw self.error(error)
    }
  }

  /// Translates a derivation's failure to an error of the archive.
  func error(_ error: CryptoError) -> ArchiveError {
    switch error {
    case .notAuthentic, .invalidPoint: .forged(.slot(number))
    case .interrupted: .unreadable(SystemError(.interrupted, call: "derive"))
    default: .outOfMemory
    }
  }

  /// The error for parameters that the header accepted but cannot be parsed: a bug in this program.
  var unreadable: ArchiveError { .forged(.slot(number)) }
}

/// A slot's secret, and the recipient for another slot that the same holder opens.
struct UnwrappingSecret: Sendable {
  let secret: SharedSecret
  let again: any Recipient
  /// The secret is proven to be this slot's, so a commitment that differs is not the caller's mistake.
  var mustOpen = false
  /// The error to report if the secret turns out to be wrong; nil for the general one.
  var otherwise: ArchiveError?
}

/// A source of keys, salts and nonces: the system, or a seed for test vectors.
public struct RandomSource: Sendable {
  private let draw: @Sendable (Int) throws(CryptoError) -> SharedSecret

  /// Creates a source from `draw`, which must return the requested number of bytes.
  public init(_ draw: @escaping @Sendable (Int) throws(CryptoError) -> SharedSecret) { self.draw = draw }

  /// The operating system's generator, through libsodium.
  public static let system = RandomSource { (count) throws(CryptoError) in
    SharedSecret(try SecretBytes.random(count: count))
  }

  /// Draws `count` bytes that stay secret.
  public func secret(_ count: Int) throws(CryptoError) -> SharedSecret { try draw(count) }

  /// Draws `count` bytes that become public, such as a salt.
  public func bytes(_ count: Int) throws(CryptoError) -> [UInt8] {
    try draw(count).bytes.withBytes { bytes in bytes.indices.map { bytes[$0] } }
  }
}
