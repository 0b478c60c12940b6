import FuekiArchive
import FuekiBackup
import FuekiSystem
import TestSupport
import Testing

/// Backups as tasks: cancelled, at the same time, and with progress.
extension VaultTests {
  @Test func `a cancelled backup leaves no file, and the state is free`() async throws {
    let bench = try VaultBench()
    let (vault, target, slots) = (try await bench.vault(), bench.target, try VaultBench.slots())
    let gate = BackupGate()
    let (begun, begin) = AsyncStream.makeStream(of: Void.self)
    let backup = Task {
      try await vault.backUp(to: [target], opening: slots) { archive in
        begin.finish()
        gate.wait()
        try archive.add(VaultBench.message(1))
      }
    }
    for await _ in begun {}
    backup.cancel()
    gate.open()
    await #expect(throws: CancellationError.self) { try await backup.value }
    #expect(try bench.names().isEmpty)
    let report = try await vault.backUp(to: [target], opening: slots) { try $0.add(VaultBench.message(1)) }
    #expect(report.archive.facts.sequence == 1)
  }

  @Test func `of two backups of one state, the second is refused while the first runs`() async throws {
    let bench = try VaultBench()
    let (one, other) = (try await bench.vault(), try await bench.vault())
    let (target, slots) = (bench.target, try VaultBench.slots())
    #expect(one.id == other.id)
    let gate = BackupGate()
    let (begun, begin) = AsyncStream.makeStream(of: Void.self)
    let first = Task {
      try await one.backUp(to: [target], opening: slots) { archive in
        begin.finish()
        gate.wait()
        try archive.add(VaultBench.message(1))
      }
    }
    for await _ in begun {}
    await #expect {
      _ = try await other.backUp(to: [target], opening: slots) { try $0.add(VaultBench.message(2)) }
    } throws: { error in
      guard case StateError.locked(let owner) = error else { return false }
      return owner?.contains("process \(CurrentProcess.identifier)") == true
    }
    gate.open()
    #expect(try await first.value.archive.facts.sequence == 1)
    let next = try await other.backUp(to: [target], opening: slots) { try $0.add(VaultBench.message(2)) }
    #expect(next.archive.facts.sequence == 2)
  }

  @Test func `more backups than processors do not hold up other tasks`() async throws {
    let bench = try VaultBench()
    let (target, slots, gate) = (bench.target, try VaultBench.slots(), BackupGate())
    var vaults: [Vault] = []
    for number in 0..<4 * Processors.count { vaults.append(try await bench.vault("state-\(number)")) }
    let (arrived, arrive) = AsyncStream.makeStream(of: Void.self)
    try await withThrowingTaskGroup(of: Void.self) { [vaults] group in
      for vault in vaults {
        group.addTask {
          // An error of the app's own ends the backup, and spares the test the derivations.
          await #expect(throws: CancellationError.self) {
            try await vault.backUp(to: [target], opening: slots) { _ in
              arrive.yield()
              gate.wait()
              throw CancellationError()
            }
          }
        }
      }
      group.addTask {
        var count = 0
        for await _ in arrived {
          count += 1
          if count == vaults.count { break }
        }
        gate.open()
      }
      try await group.waitForAll()
    }
  }

  @Test func `progress ends with the backup, with the opening, and with an error`() async throws {
    let bench = try VaultBench()
    let (vault, target, slots) = (try await bench.vault(), bench.target, try VaultBench.slots())
    let (steps, progress) = AsyncStream.makeStream(of: BackupProgress.self)
    async let report = vault.backUp(to: [target], opening: slots, progress: progress) {
      try $0.add(VaultBench.message(1))
    }
    var taken: [BackupProgress] = []
    for await step in steps { taken.append(step) }
    let readsBack = taken.contains { if case .readingBack = $0 { true } else { false } }
    #expect(taken.contains(.sealing) && readsBack)
    #expect(try await report.paths.count == 1)

    let (reads, reading) = AsyncStream.makeStream(of: RestoreProgress.self)
    let found = try await Archive.newest(of: vault, in: [target])
    _ = try await found.open(with: .passphrase(VaultBench.passphrase()), progress: reading)
    var bytes: [UInt64] = []
    for await case .reading(let read, let all) in reads where all > 0 { bytes.append(read) }
    #expect(!bytes.isEmpty && bytes == bytes.sorted())

    let (failing, failed) = AsyncStream.makeStream(of: BackupProgress.self)
    let nowhere = Target(path: bench.folder.path("nowhere"), kind: .local)
    await #expect(throws: TargetError.self) {
      _ = try await vault.backUp(to: [nowhere], opening: slots, progress: failed) { _ in }
    }
    for await _ in failing {}
  }
}
