internal import FoundationEssentials
internal import FuekiSystem
public import FuekiArchive
public import FuekiCrypto

/// This machine's state: the newest known archive per vault, and intents not yet confirmed.
///
/// It is outside any synced folder, so that no one with access to that folder can erase it.
public struct StateDirectory: Sendable {
  /// The directory's path.
  public let path: String

  /// - Parameter path: made, 0700, when something is first kept.
  public init(path: String) { self.path = path }

  /// Takes the lock of every run that changes state or targets.
  ///
  /// The lock is here and not in a target: a sync service would copy it elsewhere, where it would lock nothing and
  /// never be released.
  ///
  /// - Parameters:
  ///   - purpose: shown to a run that finds the lock taken.
  ///   - processID: this process's, shown with the purpose.
  ///   - start: the start of this run, as text for display.
  ///   - wait: the seconds to wait for another run to end.
  ///   - waiting: called a few times a second meanwhile, with the owner. An error that it throws ends the wait.
  /// - Returns: the directory as accessible to the lock's holder.
  /// - Throws: ``StateError/locked(owner:)`` if another run still holds it.
  public func lock(
    purpose: String, processID: Int32, start: String = "", wait: Double = 0,
    waiting: (_ owner: String?) throws -> Void = { _ in }
  ) throws -> LockedState {
    try Directory.makePrivateDirectories(path)
    let file = try Directory.open(path).openOrCreateFile("lock")
    let deadline = SystemClock.monotonicSeconds + wait
    while try !file.tryLockExclusive() {
      let owner = Self.owner(file)
      guard SystemClock.monotonicSeconds < deadline else { throw StateError.locked(owner: owner) }
      try waiting(owner)
      SystemClock.sleep(seconds: 0.1)
    }
    let since = start.isEmpty ? "" : ", since \(start)"
    try file.truncate(to: 0)
    try file.pwriteAll([UInt8]("\(purpose), process \(processID)\(since)".utf8), at: 0)
    return LockedState(directory: self, lock: file)
  }

  /// Returns the text written by the lock's holder; nil if it has not written it yet.
  private static func owner(_ lock: borrowing File) -> String? {
    guard let text = try? lock.readExactly(Int(clamping: lock.size()), at: 0), 1...512 ~= text.count else {
      return nil
    }
    return String(decoding: text, as: UTF8.self)
  }

  /// Returns a vault's state; empty if this machine has never seen the vault.
  public func vault(_ id: VaultID) throws -> VaultState {
    guard let bytes = try read(Self.vaultFile(id)) else { return VaultState() }
    guard let state = try? JSONDecoder().decode(VaultState.self, from: Data(bytes)) else {
      throw StateError.damaged(path: "\(path)/\(Self.vaultFile(id))")
    }
    return state
  }

  /// Returns the state of each vault, by its id, with an error for each unreadable one.
  ///
  /// Read it before listing a target to compare with: otherwise an archive that another run adds meanwhile would seem
  /// to be missing.
  public func vaults() -> [VaultID: Result<VaultState, any Error>] {
    let names = (try? Directory.open(path).list().compactMap(\.text)) ?? []
    var vaults: [VaultID: Result<VaultState, any Error>] = [:]
    for id in names.compactMap(Self.vaultID) { vaults[id] = Result { try vault(id) } }
    return vaults
  }

  /// Returns the vault of backups that come from no store; nil before the first one.
  public func storelessVaultID() throws -> VaultID? {
    try read("vault").flatMap { VaultID(hex: String(decoding: $0, as: UTF8.self)) }
  }

  /// As much as this program may have written: a restore's journal names every secret that differed.
  private static let fileByteCountLimit = 64 << 20

  /// Returns the bytes of one of the directory's files, or nil if it does not exist.
  func read(_ name: String) throws -> [UInt8]? {
    do {
      return try File.openRegular(path + "/" + name, symbolicLinks: .refuse)
        .readAll(limit: Self.fileByteCountLimit)
    } catch let error where error.isNotFound {
      return nil
    }
  }

  private static func vaultID(ofFile name: String) -> VaultID? {
    guard name.hasPrefix("vault-"), name.hasSuffix(".json") else { return nil }
    return VaultID(hex: name.dropFirst("vault-".count).dropLast(".json".count))
  }

  fileprivate static func vaultFile(_ id: VaultID) -> String { "vault-\(id.hex).json" }
}

/// The state directory while this run holds its lock: the only way to change it.
public final class LockedState {
  /// The directory, for reading.
  public let directory: StateDirectory
  private let lock: File

  fileprivate init(directory: StateDirectory, lock: consuming File) {
    self.directory = directory
    self.lock = lock
  }

  deinit { lock.unlock() }

  /// Saves a vault's state, durably.
  public func keep(_ state: VaultState, of vault: VaultID) throws {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .prettyPrinted]
    try directory.write([UInt8](try encoder.encode(state)), as: StateDirectory.vaultFile(vault))
  }

  /// Changes a vault's state, which is saved only if it differs then.
  func change(_ vault: VaultID, _ body: (inout VaultState) -> Void) throws {
    let before = try directory.vault(vault)
    var state = before
    body(&state)
    if state != before { try keep(state, of: vault) }
  }

  /// Eight hex digits that tell this machine's temporary files from another's in the same folder.
  func machineID() throws -> String {
    if let kept = try directory.read("machine"), kept.count == 8 {
      return String(decoding: kept, as: UTF8.self)
    }
    let id = Hex.encode(RandomBytes.bytes(4))
    try directory.write([UInt8](id.utf8), as: "machine")
    return id
  }

  /// The vault of backups that come from no store, such as those of a folder of keystores.
  public func storelessVaultID() throws -> VaultID {
    if let kept = try keptStorelessVaultID() { return kept }
    let id = VaultID.random()
    try keepStoreless(id)
    return id
  }

  /// The same, if there is one yet.
  public func keptStorelessVaultID() throws -> VaultID? { try directory.storelessVaultID() }

  /// Makes backups that come from no store belong to a vault.
  public func keepStoreless(_ id: VaultID) throws { try directory.write([UInt8](id.hex.utf8), as: "vault") }

  /// Does the same, unless they belong to one already.
  package func keepStorelessUnlessKept(_ id: VaultID) throws {
    if try keptStorelessVaultID() == nil { try keepStoreless(id) }
  }
}

extension StateDirectory {
  /// Replaces one of the directory's files, durably.
  func write(_ bytes: [UInt8], as name: String) throws {
    try Directory.open(path).writeWhole(bytes, as: name, replacing: true)
  }

  /// Replaces one of the directory's files, durably, without holding all of it in memory.
  func write(as name: String, pieces: Directory.Pieces) throws(SystemError) {
    try Directory.open(path).writeWhole(as: name, replacing: true, pieces: pieces)
  }
}

/// An error in this machine's state that stops a run.
public enum StateError: Error, Equatable, Sendable {
  /// Another run holds the lock.
  case locked(owner: String?)
  /// A file of the state cannot be read.
  case damaged(path: String)
}

extension StateDirectory {
  private static let programs = "programs"

  /// Returns the versions of the programs that this machine put next to archives, by their digests.
  public func programs() throws -> [Digest: String] {
    guard let bytes = try read(Self.programs) else { return [:] }
    var known: [Digest: String] = [:]
    for line in String(decoding: bytes, as: UTF8.self).split(separator: "\n") {
      let words = line.split(separator: " ", maxSplits: 1).map(String.init)
      guard words.count == 2, let digest = Digest(hex: words[0]) else {
        throw StateError.damaged(path: "\(path)/\(Self.programs)")
      }
      known[digest] = words[1]
    }
    return known
  }

  fileprivate func write(_ programs: [Digest: String]) throws {
    let lines = programs.map { "\($0.key.hex) \($0.value)\n" }.sorted()
    try write([UInt8](lines.joined().utf8), as: Self.programs)
  }
}

extension LockedState {
  /// Remembers a program before it is put next to archives.
  public func note(program digest: Digest, version: String) throws {
    var programs = try directory.programs()
    programs[digest] = version
    try directory.write(programs)
  }
}
