internal import FoundationEssentials
internal import FuekiBackup
internal import FuekiCrypto
internal import FuekiWallet

/// MetaMask's encrypted keys: the extension's AES-256-GCM, or the app's AES-256-CBC without authentication.
struct MetaMaskVault {
  private enum Form {
    case browser(salt: [UInt8], vector: [UInt8])
    /// The app uses the salt's text as its bytes.
    ///
    /// Newer versions may decode it.
    case mobile(salts: [[UInt8]], vector: [UInt8])
  }

  private let form: Form
  private let rounds: Int
  private let ciphertext: [UInt8]

  private static let browserRounds = 10_000
  private static let mobileRounds = 5_000

  /// Parses the members of a vault; nil for another object.
  init?(_ value: JSONValue) {
    func base64(_ name: String) -> [UInt8]? {
      value.member(name)?.string.flatMap { Data(base64Encoded: $0) }.map(Array.init)
    }
    guard let saltText = value.member("salt")?.string else { return nil }
    let parameters = value.member("keyMetadata")?.member("params")
    let stated = parameters?.member("iterations")?.number.flatMap { Int($0) }
    if let data = base64("data"), let vector = base64("iv"), let salt = base64("salt"),
      !data.isEmpty
    {
      form = .browser(salt: salt, vector: vector)
      ciphertext = data
      rounds = stated ?? Self.browserRounds
    } else if let cipher = base64("cipher"),
      let vector = value.member("iv")?.string.flatMap({ Hex.decode($0) }),
      !cipher.isEmpty
    {
      let decoded = base64("salt").map { [$0] } ?? []
      form = .mobile(salts: [Array(saltText.utf8)] + decoded, vector: vector)
      ciphertext = cipher
      rounds = stated ?? Self.mobileRounds
    } else {
      return nil
    }
  }

  /// Whether its key cannot be derived at all.
  var isMalformed: Bool { rounds < 1 }

  /// Decrypts the keyrings; nil if the password is wrong.
  ///
  /// - Throws: ``WorkBudget/Exceeded``, ``CryptoError/outOfMemory`` or ``CryptoError/unavailable``.
  func open(_ password: borrowing SecretBytes, work: WorkBudget) throws -> GuardedDocument? {
    switch form {
    case .browser(let salt, let vector):
      let key = try work.pbkdf2(from: password, salt: salt, iterations: rounds, count: 32)
      do throws(CryptoError) {
        return Self.document(try AESCipher.openGCM(ciphertext.span, key: key, nonce: vector))
      } catch .notAuthentic, .invalidLength {
        return nil
      }
    case .mobile(let salts, let vector):
      for salt in salts {
        let key = try work.pbkdf2(from: password, salt: salt, iterations: rounds, count: 32, hash: .sha512)
        do throws(CryptoError) {
          if let document = Self.document(
            try AESCipher.decryptCBC(ciphertext.span, key: key, vector: vector))
          {
            return document
          }
        } catch .notAuthentic, .invalidLength {
          continue
        }
      }
      return nil
    }
  }

  /// Parses the list of keyrings; nil for anything else, as with a wrong password.
  private static func document(_ bytes: consuming SecretBytes) -> GuardedDocument? {
    let count = bytes.count
    guard let document = try? GuardedDocument(bytes, limit: count), document.root.kind == .array,
      document.root.elements.allSatisfy({ $0.member("type") != nil })
    else { return nil }
    return document
  }
}
