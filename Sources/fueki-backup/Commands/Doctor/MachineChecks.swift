internal import ArgumentParser
internal import FuekiBackup
internal import FuekiCollectors
internal import FuekiCompression
internal import FuekiCrypto
internal import FuekiStore
internal import FuekiSystem
internal import FuekiWallet

/// Checks of this machine, independent of the wallet.
enum MachineChecks {
  /// 2026-01-01T00:00:00Z.
  ///
  /// A correct clock never shows a time before the program was written.
  private static let programBegan: Int64 = 1_767_225_600
  /// As many secrets as a large keychain holds at once.
  private static let secretsTried = 512

  static func all(kdfMemoryKiB: UInt64) -> [Check] {
    libraries() + [
      lockedMemory(), memory(kdfMemoryKiB: kdfMemoryKiB), entropy(), clock(), SandboxChecks.kernel(),
    ]
  }

  /// The checks of a machine that derives no key and holds no secret.
  static var ofWatcher: [Check] { libraries() + [clock(), SandboxChecks.kernel()] }

  private static func libraries() -> [Check] {
    let sqlite: Check
    do {
      sqlite = .ok("sqlite", try StoreLibrary.version())
    } catch {
      sqlite = .failed("sqlite", error)
    }
    return [
      CryptoLibraries.isReady
        ? .ok("libsodium", CryptoLibraries.sodium)
        : .failed(
          "libsodium", "\(CryptoLibraries.sodium) does not start",
          remedy: "install Debian's libsodium23 again"),
      .ok("openssl", CryptoLibraries.openSSL), .ok("zstd", ZstdLibrary.version), sqlite,
    ]
  }

  /// Tried, because a privileged process may lock more than its limit says.
  private static func lockedMemory() -> Check {
    let limit = SystemHealth.lockableBytes.map(Readable.bytes) ?? "no limit"
    do {
      var held: [SharedSecret] = []
      for _ in 0..<secretsTried { held.append(SharedSecret(try SecretBytes(count: 64))) }
      withExtendedLifetime(held) {}
    } catch {
      return .failed("locked-memory", error)
    }
    guard SecretBytes.lockedMemoryWasRefused else {
      return .ok("locked-memory", "\(secretsTried) secrets fit (limit: \(limit))")
    }
    return .warning(
      "locked-memory", "secrets could reach the swap space: only \(limit) may be locked in memory",
      remedy: "raise it: LimitMEMLOCK=64M in a unit, or memlock in /etc/security/limits.d")
  }

  private static func memory(kdfMemoryKiB: UInt64) -> Check {
    guard let available = SystemHealth.availableBytes else {
      return .ok("memory", "the system does not say how much is free")
    }
    let needed = (kdfMemoryKiB << 10) + (256 << 20)
    let text = "\(Readable.bytes(available)) available, \(Readable.bytes(needed)) needed"
    guard available >= needed else {
      return .failed(
        "memory", text, remedy: "end other programs, or make archives with a smaller --kdf-memory")
    }
    return .ok("memory", text)
  }

  private static func entropy() -> Check {
    SystemHealth.hasEntropy
      ? .ok("entropy", "the kernel's random numbers are seeded")
      : .failed(
        "entropy", "the kernel's random numbers are not seeded yet",
        remedy: "wait, or add a virtio-rng device to a virtual machine")
  }

  private static func clock() -> Check {
    let now = SystemClock.now / 1_000_000
    let text = Times.text(UInt64(max(0, now)))
    guard now >= programBegan else {
      return .failed(
        "clock", "\(text) is before this program was made", remedy: "set the clock: archives are dated by it")
    }
    switch SystemHealth.isClockSynchronised {
    case true?: return .ok("clock", "\(text), kept right by the system")
    case false?:
      return .warning(
        "clock", "\(text), and nothing keeps it right", remedy: "install systemd-timesyncd or chrony")
    case nil: return .ok("clock", "\(text). The system does not say whether anything keeps it right")
    }
  }
}

/// Checks that the programs next to archives, which will receive people's secrets, are the original ones.
enum ProgramChecks {
  static func all(_ targets: [Target], _ trust: Trust) throws -> [Check] {
    let known = try ProgramTrust(try Places.state(), trust)
    return targets.flatMap { target in
      let programs = ProgramBeside.all(in: target).map { check($0, in: target, known) }
      return programs + pages(in: target, known) + StrayPages.all(in: target).map(stray)
    }
  }

  /// Checks the pages that lead people to a program.
  private static func pages(in target: Target, _ known: ProgramTrust) -> [Check] {
    guard target.kind != .rclone else { return [] }
    return [StartHere.textName, StartHere.htmlName].compactMap { page in
      let path = "\(target.path)/\(page)"
      guard let bytes = try? File.openRegular(path).readAll(limit: 1 << 20) else {
        guard (try? FileStatus.of(path)) != nil else { return nil }
        return .failed(
          "page \(path)", "it is not a file that can be read",
          remedy: "remove it, then run \"fueki-backup kit bundle\" again")
      }
      if known.knows(page: bytes) { return .ok("page \(path)", "as this machine wrote it") }
      return .warning(
        "page \(path)", "this machine did not write it, or another user changed it",
        remedy: "run \"fueki-backup kit bundle\" again, which replaces it")
    }
  }

  private static func stray(_ path: String) -> Check {
    .warning(
      "page \(GivenWord.shown(path))",
      "\"kit bundle\" did not put it there, and it opens like a page or a program",
      remedy: "do not open it, and remove it if it is not yours")
  }

  private static func check(_ program: ProgramBeside, in target: Target, _ known: ProgramTrust) -> Check {
    let name = "program \(program.folder)"
    let replace = "run nothing there: remove the folder, then run \"fueki-backup kit bundle\" again"
    guard target.kind == .local, !target.isAppendOnly else {
      return .warning(
        name, "others can write to its folder, so they could replace it",
        remedy: "remove the folder. Bundle it on a disk that you can unplug")
    }
    let page = program.pageDigest.map { ", \(ProgramBeside.page) \($0.hex)" } ?? ""
    let digest = (program.digest?.hex ?? "") + page
    switch known.judge(program) {
    case .known: return .ok(name, "as this machine put it there: SHA-256 \(digest)")
    case .signed: return .ok(name, "signed by one of your signers: SHA-256 \(digest)")
    case .faulty(let fault): return .failed(name, fault.rawValue, remedy: replace)
    case .replaced:
      return .failed(name, "it is not the program that this machine put there", remedy: replace)
    case .unknown:
      return .warning(
        name, "nothing shows who put it there: SHA-256 \(digest)",
        remedy: "compare that with your recovery kit. If it differs, remove the folder")
    }
  }
}

/// Checks of the sandbox for commands that parse untrusted input.
enum SandboxChecks {
  /// Checks the kernel's support.
  static func kernel() -> Check {
    guard let version = Sandbox.version else {
      return .warning(
        "sandbox",
        "the kernel has no Landlock: files that a stranger may have written are read with all rights",
        remedy: "use Linux 5.13 or later with landlock among the security modules (lsm=)")
    }
    return .ok("sandbox", "Landlock \(version)")
  }

  /// Enters the sandbox of `verify`, and tries forbidden operations on a worker thread.
  static func trial(
    _ options: SandboxOptions, _ targets: [Target], _ configuration: Configuration, _ console: Console
  ) throws -> [Check] {
    let folders = targets.filter { $0.kind != .rclone }.flatMap { ["--target", $0.path] }
    var needs = try VerifyCommand.parse(["latest"] + folders).needs(configuration)
    // Those of a run that has a sandbox.
    needs.targets.removeAll { $0.kind == .rclone }
    needs.makesState = false
    _ = try options.enter(needs, configuration, console)
    return try trial()
  }

  /// Enters the sandbox of `restore`, and tries forbidden operations on a worker thread.
  static func restoreTrial(
    _ options: SandboxOptions, _ directory: String, _ targets: [Target], _ configuration: Configuration,
    _ console: Console
  ) throws -> [Check] {
    let folders = targets.filter { $0.kind != .rclone }.flatMap { ["--target", $0.path] }
    let order = RestoreOrder(into: directory, .everything, ofWallets: [], onConflict: .fail)
    let needs = try RestoreCommand.parse(["latest", "--files", "none"] + folders)
      .needs(order, configuration, orOneOf: [])
    var configuration = configuration
    _ = try RestoreSandbox.enter(options, needs, &configuration, console)
    return try trial()
  }

  private static func trial() throws -> [Check] {
    guard let home = Environment.get("HOME"), home.hasPrefix("/") else {
      throw CommandError.usage("HOME is not set: there is no folder to try")
    }
    return [kernel()] + (try SandboxTrial.run(home: home)).map(check)
  }

  private static func check(_ finding: SandboxTrial.Finding) -> Check {
    let name = "sandbox-\(finding.attempt.rawValue)"
    guard !finding.isRefused else { return .ok(name, "refused: \(finding.subject)") }
    return .failed(
      name, "permitted: \(finding.subject)", remedy: "see what the check \"sandbox\" says about the kernel")
  }
}

/// Whether every wallet on this machine is in the backups, and every source there.
enum WalletChecks {
  static func all(_ configuration: Configuration) -> [Check] {
    let missing = configuration.chosenSources.filter { source in
      source.kind != SourceSettings.nothing && source.paths().isEmpty
    }
    return missing.map { source in
      .warning(
        "source \(source.name)", "nothing is there",
        remedy: "see whether the wallet was moved or its disk is not mounted, or remove its [[source]]")
    } + [wallets(configuration)]
  }

  private static func wallets(_ configuration: Configuration) -> Check {
    guard let uncovered = UncoveredWallets(configuration.coverage) else {
      return .ok("wallets", "no wallet without a backup was found")
    }
    return .warning("wallets", uncovered.sentence, remedy: UncoveredWallets.remedy)
  }
}
