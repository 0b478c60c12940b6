internal import FuekiArchive
internal import FuekiBackup
internal import FuekiCrypto
internal import FuekiSystem

/// The policy that this machine follows, and the reason if it is not the present file's.
///
/// A policy is a help for backups and never prevents one: if its file is refused, the version that the machine last
/// accepted still applies.
struct MachinePolicy {
  let path: String
  /// The rules that apply; nil if this machine has never accepted a policy.
  private(set) var rules: FleetPolicy?
  /// The key that signed them.
  private(set) var signer: Ed25519.PublicKey?
  private(set) var refusal: PolicyRefusal?
  /// The recipients to which the owner has agreed.
  private(set) var agreed: [NamedRecipient] = []
  /// The recipients to which the owner has not agreed, so that nothing is sealed to them.
  private(set) var waiting: [NamedRecipient] = []
  /// Whether this version was not accepted before.
  private(set) var isNew = false
  private var file: SignedPolicy?
  private var agreedBefore: Set<String> = []

  /// A policy whose signature is correct.
  private struct Version {
    let file: SignedPolicy
    let rules: FleetPolicy
    let signer: Ed25519.PublicKey
  }

  /// Reads the policy and compares it with the version that the machine last accepted.
  ///
  /// - Parameters:
  ///   - place: the owner's consent to it.
  ///   - state: this machine's state, which stays as it is.
  ///   - consents: the risks that the owner accepts.
  /// - Throws: only an interruption. Everything else is a ``refusal``.
  init(_ place: PolicyPlace, _ state: StateDirectory, accepting consents: Consents) throws {
    path = place.path
    let accepted: Version?
    do {
      // A version that no present signer has signed counts for nothing.
      accepted = try state.acceptedPolicy().flatMap { try? Self.version($0, place) }
      agreedBefore = try state.agreedRecipients()
    } catch {
      if Self.isInterruption(error) { throw error }
      refusal = .state(error)
      return
    }
    var current = accepted
    do {
      let found = try Self.version(Self.read(place), place)
      let last = accepted.map { (number: $0.rules.number, file: $0.file) }
      if let reason = PolicyRefusal.comparing((found.rules.number, found.file), to: last) { throw reason }
      isNew = found.file.bytes != accepted?.file.bytes
      current = found
    } catch let reason as PolicyRefusal {
      if case .unreadable(let error) = reason, Self.isInterruption(error) { throw error }
      refusal = reason
    }
    guard let current else { return }
    (rules, signer, file) = (current.rules, current.signer, current.file)
    for recipient in try current.rules.recipients.map(NamedRecipient.init) {
      if agreedBefore.contains(recipient.line) || consents.covers(recipient: recipient.text) {
        agreed.append(recipient)
      } else {
        waiting.append(recipient)
      }
    }
  }

  private static func isInterruption(_ error: any Error) -> Bool {
    (error as? SystemError)?.isInterrupted ?? (error is Interrupted)
  }

  private static func read(_ place: PolicyPlace) throws(PolicyRefusal) -> SignedPolicy {
    let bytes: [UInt8]
    do {
      bytes = try File.openRegular(place.path).readAll(limit: PolicyFile.byteLimit)
    } catch {
      throw .unreadable(error)
    }
    let signature: [UInt8]
    do {
      signature = try File.openRegular(place.path + ".minisig").readAll(limit: PolicyFile.byteLimit)
    } catch {
      throw .unsigned
    }
    return SignedPolicy(bytes: bytes, signature: String(decoding: signature, as: UTF8.self))
  }

  private static func version(_ file: SignedPolicy, _ place: PolicyPlace) throws(PolicyRefusal) -> Version {
    guard let signer = file.signer(among: place.signers) else { throw .wronglySigned }
    do {
      return Version(file: file, rules: try PolicyFile.read(file.bytes, path: place.path), signer: signer)
    } catch {
      throw .malformed(error)
    }
  }

  /// Records what this machine accepts, so that an earlier version is refused from now on.
  func record(_ state: LockedState) throws {
    guard let rules, let file else { return }
    // Another run may have accepted a later version before this one got the lock.
    let kept = try state.directory.acceptedPolicy()
    let keptNumber = kept.flatMap { kept in
      signer.flatMap { kept.signer(among: [$0]) }.flatMap { _ in
        try? PolicyFile.read(kept.bytes, path: path).number
      }
    }
    if refusal == nil, isNew, keptNumber ?? 0 < rules.number { try state.keep(file) }
    let lines = Set(agreed.map(\.line))
    if lines != agreedBefore { try state.keep(agreedRecipients: lines) }
  }

  /// The slots of an archive, without two for a passphrase and guardians.
  private static let mostSlots = 30

  /// The recipients that an archive gets in addition to the owner's.
  func recipients(besides own: [NamedRecipient]) -> [NamedRecipient] {
    let texts = Set(own.map(\.text))
    return Array(agreed.filter { !texts.contains($0.text) }.prefix(max(0, Self.mostSlots - own.count)))
  }

  /// The larger one of the policy's amount and the owner's.
  func parity(atLeast own: ParityAmount?) -> ParityAmount? {
    [rules?.parity, own].compactMap(\.self).max { $0.percent < $1.percent }
  }

  /// Returns the rules for `prune`, which keep what the policy or the options keep.
  ///
  /// - Throws: a ``Failure`` if the policy is not known, because an archive that it keeps could be removed.
  func rules(with options: RetentionRules) throws -> RetentionRules {
    guard let rules else {
      throw Failure(
        .untrusted, refusalSentence ?? "the policy \(path) is not known",
        meaning:
          "nothing was removed, because this machine has never accepted a policy and cannot know what to keep",
        hint: refusalHint ?? "fueki-backup-policy(5) describes policies")
    }
    return options.union(rules.retention)
  }
}
