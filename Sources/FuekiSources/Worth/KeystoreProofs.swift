internal import FoundationEssentials
internal import FuekiArchive
package import FuekiWallet
public import FuekiCrypto

/// Puts files together from their parts, one file at a time, and opens those that hold a private key.
package struct KeystoreProofs {
  /// No such file is longer.
  private static let byteCountLimit = 1 << 20

  private let openings: [KeyFileOpening]
  private let passwords: [SharedSecret]
  private var current: FilePart?
  private var content: [UInt8] = []

  package init(_ openings: [KeyFileOpening], passwords: [SharedSecret]) {
    self.openings = openings
    self.passwords = passwords
  }

  /// Takes a file's next part.
  package mutating func take(_ part: FilePart, into ledger: inout ProofLedger) throws {
    if part.offset == 0 || current?.id != part.id {
      try finish(into: &ledger)
      guard openings.contains(where: { $0.format == part.format }) else { return }
      current = part
    }
    guard let current, current.id == part.id else { return }
    // A part that is lost, or a file that is too long, leaves less than the total.
    guard part.offset == content.count, content.count + part.content.count <= Self.byteCountLimit else {
      return
    }
    content += [UInt8](part.content)
    if content.count == part.total { try finish(into: &ledger) }
  }

  /// Ends the file that was begun, if one was.
  package mutating func finish(into ledger: inout ProofLedger) throws {
    guard let file = current else { return }
    let content = content
    current = nil
    self.content = []
    guard let opening = openings.first(where: { $0.format == file.format }) else { return }
    let stated = PackedText.text(file.address) ?? ""
    do {
      guard content.count == file.total else { throw KeyFileProblem.damaged("a part of it is missing") }
      let opened = try opening.open(content, with: passwords)
      try prove(opened, file, into: &ledger)
    } catch let problem as KeyFileProblem {
      note(file, stated, .notChecked(.keystore(problem)), into: &ledger)
      for place in ledger.places(havingText: stated) {
        ledger.note(
          Evidence(address: stated, result: .notChecked(.keystore(problem))), of: place)
      }
    }
  }

  private func prove(
    _ opened: KeyFileOpening.Opened, _ file: FilePart, into ledger: inout ProofLedger
  ) throws {
    let derived = try DerivedAddresses(of: opened.publicKey, on: opened.curve)
    let stated = AddressOfWallet(opened.stated, family: .evm, chainID: "")
    let result: Proof.Result
    if opened.stated.isEmpty {
      result = .notChecked(.unnamedKeystore(derived: derived.anyText))
    } else if derived.contains(stated) {
      result = .proved(by: .keystore)
    } else {
      result = .differs(.keystore, .otherAddress(derived: derived.anyText))
    }
    note(file, opened.stated, result, into: &ledger)
    for place in ledger.places(having: derived) {
      ledger.note(
        ledger.wallets[place].compare(derived, from: .keystore, isCertain: false), of: place)
    }
  }

  private func note(
    _ file: FilePart, _ address: String, _ result: Proof.Result, into ledger: inout ProofLedger
  ) {
    ledger.note(
      Proof(
        subject: .keystore, id: [UInt8](file.id), name: String(decoding: [UInt8](file.path), as: UTF8.self),
        address: address, result: result))
  }
}

extension ProofLedger {
  /// The wallets that have an EVM address.
  func places(havingText address: String) -> [Int] {
    (try? EVMAddress(address)).map { places(having: .evm($0)) } ?? []
  }
}

/// A way in which another wallet's file holds a private key, under a password of its own.
public struct KeyFileOpening: Sendable {
  /// The contents of an opened file.
  public struct Opened: Sendable {
    /// The address that the file states; empty if none.
    public let stated: String
    /// The compressed public key of its secret.
    public let publicKey: [UInt8]
    /// The key's curve.
    public let curve: Curve

    /// Creates the contents of an opened file.
    public init(stated: String, publicKey: [UInt8], curve: Curve) {
      self.stated = stated
      self.publicKey = publicKey
      self.curve = curve
    }
  }

  /// The format as file records name it.
  public let format: String
  private let read: @Sendable ([UInt8], [SharedSecret]) throws -> Opened

  /// - Parameters:
  ///   - format: as file records name it.
  ///   - read: tries the passwords on a file's content. It throws ``KeyFileProblem`` where none opens it; nothing of
  ///     the key may leave ``SecretBytes``.
  public init(format: String, read: @escaping @Sendable ([UInt8], [SharedSecret]) throws -> Opened) {
    self.format = format
    self.read = read
  }

  /// Tries the passwords on a file's content.
  func open(_ content: [UInt8], with passwords: [SharedSecret]) throws -> Opened {
    try read(content, passwords)
  }
}

/// Why a file with a private key stays closed.
public enum KeyFileProblem: Error, Hashable, Sendable {
  /// No password was given.
  case noPassword
  /// Every given password is wrong.
  case wrongPassword
  /// Deriving its key would cost more than for any real file.
  case tooCostly
  /// Its cipher, or what makes its key of a password, is not computed here.
  case unknownScheme
  /// It cannot be read, and why.
  case damaged(String)
}
