package import FuekiCrypto

/// A policy's file and its signature.
package struct SignedPolicy: Equatable, Sendable {
  package let bytes: [UInt8]
  /// The text of the file `.minisig`.
  package let signature: String

  package init(bytes: [UInt8], signature: String) {
    self.bytes = bytes
    self.signature = signature
  }

  /// Returns the key that signed the file as a policy; nil if none of these did.
  package func signer(among keys: Set<Ed25519.PublicKey>) -> Ed25519.PublicKey? {
    guard bytes.starts(with: FileSignature.policyLabel.utf8) else { return nil }
    return FileSignature.signer(of: signature, over: bytes, among: keys)
  }
}

/// The reason that a machine does not follow a policy's file.
package enum PolicyRefusal: Error {
  case unreadable(any Error)
  case unsigned
  /// The signature is by another key, or the file changed after it was signed.
  case wronglySigned
  case malformed(any Error)
  /// The machine has already accepted a later version.
  case older(number: Int, accepted: Int)
  /// The machine has accepted another file with the same number.
  case ambiguous(number: Int)
  /// The machine's own record of the accepted version cannot be read.
  case state(any Error)

  /// Compares a correctly signed policy with the version that the machine last accepted.
  ///
  /// - Returns: the reason for refusing it; nil if it may be followed.
  package static func comparing(
    _ policy: (number: Int, file: SignedPolicy), to accepted: (number: Int, file: SignedPolicy)?
  ) -> PolicyRefusal? {
    guard let accepted else { return nil }
    guard policy.number >= accepted.number else {
      return .older(number: policy.number, accepted: accepted.number)
    }
    let isSame = policy.number > accepted.number || policy.file.bytes == accepted.file.bytes
    return isSame ? nil : .ambiguous(number: policy.number)
  }
}

extension StateDirectory {
  private static let policyFile = "policy"
  fileprivate static let recipientsFile = "policy-recipients"
  /// The lines of a signature, which precede the policy in this machine's copy.
  private static let signatureLines = 4

  /// Returns the policy that this machine last accepted; nil before the first one.
  ///
  /// Its signature has to be checked again, because the owner may trust other keys by now.
  package func acceptedPolicy() throws -> SignedPolicy? {
    guard let bytes = try read(Self.policyFile) else { return nil }
    let ends = bytes.indices.lazy.filter { bytes[$0] == UInt8(ascii: "\n") }.prefix(Self.signatureLines)
    guard let end = ends.last, ends.count == Self.signatureLines else {
      throw StateError.damaged(path: "\(path)/\(Self.policyFile)")
    }
    return SignedPolicy(
      bytes: Array(bytes[(end + 1)...]), signature: String(decoding: bytes[...end], as: UTF8.self))
  }

  /// Returns the policy's recipients to which the owner has agreed, one line for each with its scopes.
  package func agreedRecipients() throws -> Set<String> {
    let text = try read(Self.recipientsFile).map { String(decoding: $0, as: UTF8.self) } ?? ""
    return Set(text.split(separator: "\n").map(String.init))
  }

  fileprivate func write(_ policy: SignedPolicy) throws {
    try write(Array(policy.signature.utf8) + policy.bytes, as: Self.policyFile)
  }
}

extension LockedState {
  /// Records the policy that this machine accepts.
  package func keep(_ policy: SignedPolicy) throws { try directory.write(policy) }

  /// Records the policy's recipients to which the owner has agreed.
  package func keep(agreedRecipients lines: Set<String>) throws {
    let text = lines.sorted().map { $0 + "\n" }.joined()
    try directory.write(Array(text.utf8), as: StateDirectory.recipientsFile)
  }
}
