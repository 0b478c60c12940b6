internal import FuekiArchive
internal import FuekiBackup
internal import FuekiCrypto
internal import FuekiStore
internal import FuekiSystem

/// The wallet's and the program's own files: who can read them, and whether they open.
struct PlaceChecks {
  let console: Console
  let keychain: KeychainSecretOptions
  let vault: VaultSettings
  /// The names of endpoints' keys that the configuration expects in the keychain.
  let endpointKeys: [String]
  /// How many sources the configuration has besides the store.
  let sourceCount: Int
  /// Whether the configuration has a vault.
  let isConfigured: Bool

  func all(configuration: String?, state: String, dataDirectory: String) -> [Check] {
    var checks: [Check] = []
    // It stands for a configuration that says nothing, and belongs to all.
    if let configuration, configuration != "/dev/null" {
      checks.append(Self.ownership("configuration", of: configuration))
    }
    checks += trustedFiles()
    checks.append(Self.state(state))
    checks.append(Self.ownership("data-directory", of: dataDirectory))
    checks.append(store(dataDirectory))
    // There is no secret and nothing to restore where nothing is backed up.
    guard makesBackups(dataDirectory, StateDirectory(path: state)) else { return checks }
    checks.append(openKeychain(dataDirectory))
    checks.append(lastDrill(of: vault.id(ofStoreIn: dataDirectory), StateDirectory(path: state)))
    return checks
  }

  /// Checks this machine's state.
  static func state(_ path: String) -> Check {
    WriteObstacles.problem(inState: path).map {
      .failed("state", $0, remedy: "it has to be a folder that your user may write to: see FUEKI_STATE")
    } ?? ownership("state", of: path)
  }

  /// Whether this machine has something to back up, or has made or restored a backup.
  func makesBackups(_ dataDirectory: String, _ state: StateDirectory) -> Bool {
    let made: [Activity.Kind] = [.create, .drill, .kit, .prune]
    let hasMade = (try? state.activity()).map { $0.contains { made.contains($0.kind) } } ?? true
    return sourceCount > 0 || isConfigured || hasMade || Self.hasStore(dataDirectory)
  }

  private static func hasStore(_ directory: String) -> Bool {
    do {
      try WalletStore.checkIsThere(directory)
      return true
    } catch StoreError.notThere {
      return false
    } catch {
      return true
    }
  }

  /// A backup that was never restored is a hope, and another vault's drill says nothing of this one's.
  private func lastDrill(of vault: VaultID?, _ state: StateDirectory) -> Check {
    let remedy = "fueki-backup drill, once a quarter"
    do {
      let id = vault.map(\.hex)
      let drills = try state.activity().filter { $0.kind == .drill && $0.vault == id ?? $0.vault }
      let last = drills.max { $0.time < $1.time }
      // One that found a difference is kept, and not noted among what went well.
      if let vault = vault ?? last.flatMap({ VaultID(hex: $0.vault) }),
        try state.drill(of: vault)?.result == .differs
      {
        return .failed(
          "last-drill", "what was restored differed from the archive", remedy: "fueki-backup drill, and diff")
      }
      guard let last else { return .warning("last-drill", "never", remedy: remedy) }
      let now = SystemClock.now / 1_000_000
      let text = "\(Readable.ago(now - last.time)), of \(last.archive?.prefix(8) ?? "an archive")"
      return StatusProblem.Age(of: last.time, over: 100 * 86_400, now) == nil
        ? .ok("last-drill", text) : .warning("last-drill", text, remedy: remedy)
    } catch {
      return .failed("last-drill", error)
    }
  }

  /// Checks the vault's files that determine the readers of backups and the trusted signers.
  private func trustedFiles() -> [Check] {
    let files = [
      ("recipients-file", vault.recipientsFile), ("guardians-file", vault.guardians),
      ("trusted-signers-file", vault.trustedSignersFile),
    ]
    return files.compactMap { name, path in
      guard let path else { return nil }
      do {
        _ = try TrustedFile.open(path, isPublicKey: path == vault.trustedSignersFile)
        return .ok(name, "\(path): no other user can change it")
      } catch {
        return .failed(name, error)
      }
    }
  }

  /// Checks that a file or a folder belongs to the user, and that no one else can read it.
  private static func ownership(_ name: String, of path: String) -> Check {
    do {
      let faults = try faults(of: path)
      guard faults.isEmpty else {
        return .failed(name, faults.joined(separator: "; "), remedy: "chmod -R go= \(ShellWord.quoted(path))")
      }
      return .ok(name, "\(path): yours, and private")
    } catch let error as SystemError where error.isNotFound {
      return .ok(name, "\(path): not there yet")
    } catch {
      return .failed(name, error)
    }
  }

  /// Returns faults in the permissions of a path and, for a folder, of the files in it.
  private static func faults(of path: String) throws -> [String] {
    let parts = PathParts(CurrentProcess.absolutePath(of: path))
    let folder = try Directory.open(parts.folder)
    var faults = fault(of: path, try folder.status(of: parts.name.isEmpty ? "." : parts.name))
    guard let inner = try? Directory.open(path) else { return faults }
    for entry in try inner.list() where entry.kind == .file {
      guard let name = entry.text else { continue }
      faults += fault(of: "\(path)/\(name)", try inner.status(of: name))
    }
    return faults
  }

  private static func fault(of path: String, _ status: FileStatus) -> [String] {
    if status.kind == .symbolicLink { return [] }
    if status.owner != CurrentUser.identifier { return ["\(path) belongs to another user"] }
    return status.permissions & 0o077 == 0 ? [] : ["others can read \(path)"]
  }

  private func store(_ directory: String) -> Check {
    do {
      let store = try WalletStore.open(directory)
      defer { try? store.close() }
      return .ok("store", "\(directory): \(Readable.count(try store.wallets.count(), "wallet"))")
    } catch StoreError.notThere where sourceCount > 0 {
      let sources = Readable.count(sourceCount, "source")
      return .ok(
        "store", "there is no Fueki wallet here: backups are made of \(sources) in the configuration")
    } catch StoreError.notThere {
      return .warning(
        "store", "there is no Fueki wallet at \(directory), and the configuration names no other source",
        remedy:
          "\"fueki-backup discover --add\" finds other programs' wallets, and --datadir names a Fueki wallet elsewhere. "
          + "A machine that only watches the backups of others has neither: check it with --expected FILE"
      )
    } catch {
      return .failed("store", error)
    }
  }

  private func openKeychain(_ directory: String) -> Check {
    do {
      guard try Keychain.currentStamp(in: directory) != nil else {
        guard endpointKeys.isEmpty else {
          return .failed(
            "keychain", "there is none, but the configuration expects endpoints' keys in it",
            remedy: "restore or import a wallet, or use credential_file")
        }
        return .ok("keychain", "there is none: nothing secret is kept here")
      }
      guard let opening = try keychain.openingWithoutAsking(console, vault) else {
        return .warning(
          "keychain", "not tried: no secret was given",
          remedy: "use what the nightly backup has: --keychain-key-file or --keychain-passphrase-from")
      }
      let opened = try Keychain.read(directory, with: opening)
      let missing = try endpointKeys.filter { try opened.endpointKey(named: $0) == nil }
      guard missing.isEmpty else {
        let failure = EndpointKeychain.missing(missing, in: directory)
        return .failed("keychain", failure.message, remedy: failure.hint ?? "")
      }
      return .ok("keychain", "opens; \(opened.shares.count) key shares")
    } catch let error as KeychainError {
      return .failed("keychain", error)
    } catch {
      return .failed("keychain", error)
    }
  }
}

/// The reasons that the next backup could not write, found without writing.
enum WriteObstacles {
  /// So many bytes this machine's state needs at least.
  private static let stateByteCount: UInt64 = 64 << 10

  /// Adds them to the reports on targets: a backup tonight would fail, or leave a target behind.
  ///
  /// An obstacle to this machine's state is reported with the first target.
  static func add(to reports: inout [TargetStatus], _ targets: [Target], _ state: StateDirectory) {
    for (index, target) in targets.enumerated() where index < reports.count && target.kind != .rclone {
      let newest = reports[index].entries.filter { $0.archive != nil }.max {
        ($0.archive?.facts.sequence ?? 0) < ($1.archive?.facts.sequence ?? 0)
      }
      if let problem = problem(in: target.path, needing: newest?.byteCount ?? 0) {
        reports[index].problems.append(.stated(problem))
      }
    }
    if let problem = problem(inState: state.path), !reports.isEmpty {
      reports[0].problems.append(.stated(problem))
    }
  }

  /// The obstacle in the folder of this machine's state; nil if there is none, or no folder yet.
  static func problem(inState path: String) -> String? { problem(in: path, needing: stateByteCount) }

  private static func problem(in path: String, needing byteCount: UInt64) -> String? {
    // A folder that is not there was reported already, or is made.
    guard let folder = try? Directory.open(path) else { return nil }
    do {
      try folder.checkWritable()
      let free = try folder.freeBytes()
      guard free < byteCount else { return nil }
      return "\(path): \(Readable.bytes(free)) free, not enough for another backup"
    } catch {
      return Failure(describing: error).message
    }
  }
}
