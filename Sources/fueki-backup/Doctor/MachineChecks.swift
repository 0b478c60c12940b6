internal import FuekiCompression
internal import FuekiCrypto
internal import FuekiStore
internal import FuekiSystem

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
