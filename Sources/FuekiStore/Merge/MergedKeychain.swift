internal import FoundationEssentials
public import FuekiBackup
public import FuekiCrypto
public import FuekiWallet
internal import SwiftProtobuf

/// A data directory's keychain in a merge: its existing secrets and the archive's.
///
/// Key shares are matched by id, else by secret. An unchanged keychain is not written.
public final class MergedKeychain: KeychainAccess {
  /// Whether a keychain exists, which must then be opened rather than created.
  public let isThere: Bool
  /// The numbers of new, equal and different secrets of each section.
  public private(set) var counts: [Section: MergeCounts] = [:]
  /// The secrets that differed.
  public private(set) var conflicts: [RestoreConflict] = []

  /// The expected content of the written keychain for one of the archive's shares.
  private struct Expected {
    let id: [UInt8]
    /// The existing secret that stays instead of the archive's.
    let kept: SharedSecret?
  }

  /// One of the archive's shares.
  ///
  /// Two may have the same id.
  private struct ArchivedShare: Hashable {
    let id: [UInt8]
    let secret: Digest
  }

  private let directory: String
  private let context: MergeContext
  private var opening: KeychainOpening?
  private var present: Keychain?
  /// The existing secrets, and those imported from files, without duplicates.
  private var shares: [KeychainShare] = []
  private var keys: [[UInt8]: PrivateKeyRecord] = [:]
  private var slots: [NewKeychainSlot] = []
  private var editor: KeychainEditor?
  private var writtenBack: Keychain?
  private var expected: [ArchivedShare: Expected] = [:]
  private var files: SecretFileMerge?
  private var names = SecretNames()
  /// The existing shares by digests of their secrets, except replaced ones.
  private var shareIDs: [Digest: Data] = [:]
  private let noteName: (_ share: Data, _ name: Data) throws -> Void

  /// The secrets that an earlier run wrote and compared.
  public let staged: [Section: UInt64]?

  /// Starts with the existing keychain.
  ///
  /// `noteName` records a share's local name, on the thread that has the database.
  init(
    in directory: String, _ context: MergeContext, staged: MergeReport? = nil,
    noteName: @escaping (_ share: Data, _ name: Data) throws -> Void
  ) throws {
    self.directory = directory
    self.context = context
    self.noteName = noteName
    self.staged = staged.map { $0.counts.mapValues(\.all) }
    counts = staged?.counts ?? [:]
    conflicts = staged?.conflicts ?? []
    isThere = try Keychain.currentStamp(in: directory) != nil
  }

  /// Opens the existing keychain.
  ///
  /// - Throws: ``KeychainError``.
  public func open(with opening: KeychainOpening) throws {
    try use(try Keychain.read(directory, with: opening), opening)
  }

  /// Uses the existing keychain, already opened.
  public func use(_ keychain: Keychain, _ opening: KeychainOpening) throws {
    self.opening = opening
    present = keychain
    shares = keychain.shares
    for key in try keychain.privateKeys() { keys[key.id] = key }
    for share in shares { shareIDs[names.digest(of: share.secret.bytes)] = share.descriptor.id }
  }

  /// Sets the slots for a new keychain.
  public func create(opening slots: [NewKeychainSlot]) { self.slots = slots }

  /// Returns the results of the sections together with the keychain's.
  func joined(with sections: MergeReport) -> MergeReport {
    var all = sections
    all.counts.merge(counts) { $1 }
    // A share's description is both in the keychain and in the store.
    let told = Set(sections.conflicts.filter { $0.section == .keyShareDescriptors }.map(\.id))
    all.conflicts =
      conflicts.filter { $0.section != .keyShareDescriptors || !told.contains($0.id) } + sections.conflicts
    return all
  }

  /// The results for the secrets so far.
  public var report: MergeReport { joined(with: MergeReport()) }

  /// The public parts of the existing shares.
  var presentShares: [KeyShareDescriptor] { present?.shares.map(\.descriptor) ?? [] }

  /// Adds a key share of the archive.
  public func add(share descriptor: KeyShareDescriptor, secret: borrowing SecretBytes) throws {
    let id = [UInt8](descriptor.id)
    var adopted = descriptor
    if context.source == .archive {
      let (name, isRepeated) = names.name(id, secret)
      guard !isRepeated else { return counts[.keyShares, default: .init()].equal += 1 }
      adopted.id = Data(name)
    }
    let digest = names.digest(of: secret)
    let sameID = shares.first { $0.descriptor.id == adopted.id }
    if sameID == nil, let same = shareIDs[digest], same != adopted.id { try noteName(adopted.id, same) }
    try adopted.adopt(context.names)
    let there = sameID ?? shares.first { $0.descriptor.id == adopted.id }
    guard let there else {
      counts[.keyShares, default: .init()].added += 1
      expected[ArchivedShare(id: id, secret: digest)] = Expected(id: [UInt8](adopted.id), kept: nil)
      return try put(adopted, secret)
    }
    let isSame = there.secret.bytes.isEqualInConstantTime(to: secret)
    let differences = try Self.differences(adopted, there.descriptor)
    let isTaken = takes(adopted, there.descriptor)
    expected[ArchivedShare(id: id, secret: digest)] = Expected(
      id: [UInt8](adopted.id), kept: isSame || isTaken ? nil : there.secret)
    if isTaken, !isSame { shareIDs[names.digest(of: there.secret.bytes)] = nil }
    if isSame { counts[.keyShares, default: .init()].equal += 1 }
    // The store reports it too, if it has the description.
    if isSame, !differences.isEmpty { note(.keyShareDescriptors, id, differences, isTaken) }
    if !isSame {
      counts[.keyShares, default: .init()].differing += 1
      note(.keyShares, id, differences + ["secret"], isTaken)
    }
    if isTaken, !isSame || !differences.isEmpty { try put(adopted, secret) }
  }

  private func put(_ descriptor: KeyShareDescriptor, _ secret: borrowing SecretBytes) throws {
    guard context.writes else { return }
    try begun().add(share: descriptor, secret: secret)
    guard context.source == .files else { return }
    shares.removeAll { $0.descriptor.id == descriptor.id }
    shares.append(
      KeychainShare(descriptor: descriptor, secret: SharedSecret(try secret.copy(0..<secret.count))))
  }

  /// Adds a record of section 65 or 66, without a length prefix.
  public func add(secretRecord: borrowing SecretBytes, of section: Section) throws {
    if section == .secretFiles { return try addFilePart(secretRecord) }
    var key = try SecretRecordReading.privateKey(secretRecord)
    if context.source == .archive {
      let (name, isRepeated) = names.name(key.id, secretRecord)
      guard !isRepeated else { return counts[.privateKeys, default: .init()].equal += 1 }
      key.id = name
    }
    key.walletID = key.walletID.map(context.names.keyOwner)
    guard let there = keys[key.id] else {
      counts[.privateKeys, default: .init()].added += 1
      return try put(key)
    }
    let differences = key.differences(from: there)
    guard !differences.isEmpty else { return counts[.privateKeys, default: .init()].equal += 1 }
    counts[.privateKeys, default: .init()].differing += 1
    let isLater = key.createdAt.flatMap { mine in there.createdAt.map { mine > $0 } } ?? false
    let isTaken = context.policy == .replace || context.policy == .newer && isLater
    note(.privateKeys, key.id, differences, isTaken)
    if isTaken { try put(key) }
  }

  private func put(_ key: PrivateKeyRecord) throws {
    guard context.writes else { return }
    try begun().add(key)
    if context.source == .files { keys[key.id] = key }
  }

  /// Writes the keychain to the copy of the data directory, and reads it back from disk.
  public func write() throws {
    writtenBack = present
    guard let editor else { return }
    try editor.write(in: directory)
    // Read with the user's secret, not with the key in memory.
    writtenBack = try Keychain.read(
      directory, with: opening ?? KeychainOpening(slots.map(\.secret), limits: slots.limits))
  }

  /// Whether the keychain read back holds this very share, or the existing one in its place.
  public func holds(share id: [UInt8], secret: borrowing SecretBytes) throws -> Bool {
    guard context.writes else { return true }
    guard let expected = expected[ArchivedShare(id: id, secret: names.digest(of: secret))],
      let share = writtenBack?.shares.first(where: { Array($0.descriptor.id) == expected.id })
    else { return false }
    if let kept = expected.kept { return share.secret.bytes.isEqualInConstantTime(to: kept.bytes) }
    return share.secret.bytes.isEqualInConstantTime(to: secret)
  }

  private func addFilePart(_ message: borrowing SecretBytes) throws {
    let part = try SecretRecordReading.filePart(message)
    let merge = files ?? SecretFileMerge(present, context.policy, context.source)
    files = merge
    switch try merge.outcome(of: part) {
    case .equal: counts[.secretFiles, default: .init()].equal += 1
    case .add:
      counts[.secretFiles, default: .init()].added += 1
      guard context.writes else { return }
      try SecretRecordReading.add(file: message, to: begun(), in: directory)
    case .keep(let differences):
      counts[.secretFiles, default: .init()].differing += 1
      if let differences { note(.secretFiles, part.id, differences, false) }
    case .replace(let differences):
      counts[.secretFiles, default: .init()].differing += 1
      note(.secretFiles, part.id, differences, true)
      guard context.writes else { return }
      let editor = try begun()
      editor.replaceSecretFile(part.id, keeping: merge.earlierParts(of: part.id))
      try SecretRecordReading.add(file: message, to: editor, in: directory)
    }
  }

  /// Whether the archive's share replaces the existing one, by the same rule as its description in the store.
  private func takes(_ descriptor: KeyShareDescriptor, _ other: KeyShareDescriptor) -> Bool {
    context.policy == .replace || context.policy == .newer && descriptor.isLater(than: other)
  }

  /// Returns the differing fields.
  ///
  /// A share without a description in the archive differs in none.
  private static func differences(
    _ descriptor: KeyShareDescriptor, _ other: KeyShareDescriptor
  ) throws -> [String] {
    var bare = KeyShareDescriptor()
    bare.id = descriptor.id
    guard descriptor != bare, descriptor != other else { return [] }
    let (mine, others): ([UInt8], [UInt8]) = (try descriptor.serializedBytes(), try other.serializedBytes())
    return try RecordFields.differing(mine.span, others.span, in: .keyShareDescriptors)
  }

  private func note(_ section: Section, _ id: [UInt8], _ fields: [String], _ isTaken: Bool) {
    conflicts.append(
      RestoreConflict(
        section: section, id: Hex.encode(id), fields: fields,
        resolution: context.policy == .fail ? .none : isTaken ? .replaced : .kept))
  }

  private func begun() throws -> KeychainEditor {
    if let editor { return editor }
    guard present != nil || !isThere, present != nil || !slots.isEmpty else {
      throw CollectError.keychain(.missingSecret)
    }
    let made = try present.map { KeychainEditor(editing: $0) } ?? KeychainEditor(slots: slots)
    editor = made
    return made
  }
}

extension PrivateKeyRecord {
  /// Returns the names of the fields that differ.
  fileprivate func differences(from other: PrivateKeyRecord) -> [String] {
    var names: [String] = []
    if walletID != other.walletID { names.append("wallet_id") }
    if kind != other.kind { names.append("kind") }
    if name != other.name { names.append("name") }
    let isSame = secret.bytes.isEqualInConstantTime(to: other.secret.bytes)
    if !isSame { names.append("secret") }
    if createdAt != other.createdAt { names.append("created_at") }
    return names
  }
}
