internal import FuekiArchive
internal import FuekiBackup
internal import FuekiCrypto
internal import FuekiSystem

/// The policy that this machine follows, and the reason if it is not the present file's.
///
/// A policy is a help for backups and never prevents one: if its file is refused, the version that the machine last
/// accepted still applies.
struct MachinePolicy {
  private let place: PolicyPlace
  /// The version that applies; nil if this machine has never accepted a policy.
  private var version: Version?
  private(set) var refusal: PolicyRefusal?
  /// The recipients to which the owner has agreed.
  private(set) var agreed: [NamedRecipient] = []
  /// The recipients to which the owner has not agreed, so that nothing is sealed to them.
  private(set) var waiting: [NamedRecipient] = []

  var path: String { place.path }
  /// The rules that apply; nil if this machine has never accepted a policy.
  var rules: FleetPolicy? { version?.rules }
  /// The key that signed them.
  var signer: Ed25519.PublicKey? { version?.signer }

  /// A policy whose signature is correct.
  private struct Version {
    let file: SignedPolicy
    let rules: FleetPolicy
    let signer: Ed25519.PublicKey

    /// Returns the reason for refusing it after another version; nil if it may be followed.
    func refusal(after accepted: Version?) -> PolicyRefusal? {
      PolicyRefusal.comparing((rules.number, file), to: accepted.map { ($0.rules.number, $0.file) })
    }
  }

  /// Reads the policy and compares it with the version that the machine last accepted.
  ///
  /// - Parameters:
  ///   - place: the owner's consent to it.
  ///   - state: this machine's state, which stays as it is.
  ///   - consents: the risks that the owner accepts.
  /// - Throws: only an interruption. Everything else is a ``refusal``.
  init(_ place: PolicyPlace, _ state: StateDirectory, accepting consents: Consents) throws {
    self.place = place
    let known: Set<String>
    do {
      version = try Self.accepted(state, place)
      known = try state.agreedRecipients()
    } catch {
      if Self.isInterruption(error) { throw error }
      refusal = .state(error)
      return
    }
    do {
      let found = try Self.version(Self.read(place), place)
      if let reason = found.refusal(after: version) { throw reason }
      version = found
    } catch let reason as PolicyRefusal {
      if case .unreadable(let error) = reason, Self.isInterruption(error) { throw error }
      refusal = reason
    }
    for recipient in try (rules?.recipients ?? []).map(NamedRecipient.init) {
      if known.contains(recipient.line) || consents.covers(recipient: recipient.text) {
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

  /// Returns the version that the machine last accepted; nil if no present signer has signed one.
  private static func accepted(_ state: StateDirectory, _ place: PolicyPlace) throws -> Version? {
    try state.acceptedPolicy().flatMap { try? version($0, place) }
  }

  /// Records what this machine accepts, so that an earlier version is refused from now on.
  ///
  /// - Returns: whether the version is new to this machine.
  func record(_ state: LockedState) throws -> Bool {
    guard let version else { return false }
    // Another run may have accepted a later version, or agreed to recipients, before this one got the lock.
    let kept = try Self.accepted(state.directory, place)
    guard version.refusal(after: kept) == nil else { return false }
    let isNew = version.file.bytes != kept?.file.bytes
    if isNew { try state.keep(version.file) }
    let known = try state.directory.agreedRecipients()
    let lines = known.union(agreed.map(\.line)).intersection((agreed + waiting).map(\.line))
    if lines != known { try state.keep(agreedRecipients: lines) }
    return isNew
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
