internal import FuekiArchive
internal import FuekiCrypto
internal import FuekiSystem

/// Meters the work that one source's files ask for.
///
/// A file that another program or a stranger wrote decides how much of this machine's time and memory its reader
/// spends. Parsers spend from the budget of their source as they go. A file that asks for more is kept unread.
public final class WorkBudget: Sendable {
  /// A kind of work.
  public enum Unit: String, CaseIterable, Sendable {
    /// Bytes that a parser reads from a file, each time it reads them.
    case bytesRead = "bytes-read"
    /// Bytes that come out of decompression.
    case bytesProduced = "bytes-produced"
    /// Pages, blocks, rows and entries.
    case visits
    /// The product N·r·p of scrypt.
    case memoryHard = "memory-hard"
    /// Rounds of PBKDF2 and of plain hashing.
    case rounds
    /// Keys derived from the password of a source.
    case derivations
    /// Keys derived for the branches of descriptors.
    case candidates
    /// Things of worth that one source reports.
    case findings
  }

  /// The files ask for too much work.
  public struct Exceeded: Error, Equatable, Sendable {
    /// The kind of work.
    public let unit: Unit

    /// An error about a kind of work.
    public init(_ unit: Unit) { self.unit = unit }
  }

  private struct State {
    var input: UInt64 = 0
    var spent = [UInt64](repeating: 0, count: Unit.allCases.count)
  }

  private let state = Locked(State())

  /// A budget of which nothing is spent.
  public init() {}

  /// Adds bytes of the source's files, which some limits grow with.
  public func admit(input byteCount: UInt64) {
    state.withLock { $0.input = $0.input.addingSaturating(byteCount) }
  }

  /// Spends work before it is done.
  ///
  /// - Throws: ``Exceeded`` if nothing is left for it, ``Interrupted`` after a signal.
  public func spend(_ amount: UInt64, on unit: Unit) throws {
    try Interrupted.check()
    guard amount <= WorkLimits.single(of: unit) else { throw Exceeded(unit) }
    let isWithin = state.withLock { state in
      let sum = state.spent[unit.place].addingSaturating(amount)
      guard sum <= Self.limit(of: unit, input: state.input) else { return false }
      state.spent[unit.place] = sum
      return true
    }
    guard isWithin else { throw Exceeded(unit) }
  }

  /// Spends work that a count measures.
  public func spend(_ count: Int, on unit: Unit) throws { try spend(UInt64(max(count, 0)), on: unit) }

  /// The work done so far.
  public func spent(on unit: Unit) -> UInt64 { state.withLock { $0.spent[unit.place] } }

  /// The most work of a kind for files of a length.
  public static func limit(of unit: Unit, input byteCount: UInt64) -> UInt64 {
    let (more, isTooMuch) = byteCount.multipliedReportingOverflow(by: WorkLimits.factor(of: unit))
    return isTooMuch ? .max : WorkLimits.base(of: unit).addingSaturating(more)
  }

  /// The most work of a kind for one derivation.
  public static func singleLimit(of unit: Unit) -> UInt64 { WorkLimits.single(of: unit) }

  /// The most memory of one derivation, in bytes.
  public static var memoryLimit: UInt64 { WorkLimits.derivationMemory }
}

extension WorkBudget.Unit {
  fileprivate var place: Int {
    switch self {
    case .bytesRead: 0
    case .bytesProduced: 1
    case .visits: 2
    case .memoryHard: 3
    case .rounds: 4
    case .derivations: 5
    case .candidates: 6
    case .findings: 7
    }
  }
}

extension UInt64 {
  fileprivate func addingSaturating(_ other: UInt64) -> UInt64 {
    let (sum, isTooMuch) = addingReportingOverflow(other)
    return isTooMuch ? .max : sum
  }
}

extension Interrupted {
  /// Ends the run if a signal requested it.
  ///
  /// - Throws: ``Interrupted``.
  public static func check() throws(Interrupted) {
    guard !Interruption.wasRequested else { throw Interrupted() }
  }
}

/// The most work that the files of one source may ask for, in the units of ``WorkBudget``.
///
/// Each limit is a generous multiple of the largest real wallet. A limit for bytes and visits grows with the bytes of
/// the source, so that a long wallet is read whole and a short file asks for little. fueki-backup-wallets(7) lists the
/// figures; a test compares both.
enum WorkLimits {
  /// Work that every source may ask for, however short its files are.
  static func base(of unit: WorkBudget.Unit) -> UInt64 {
    switch unit {
    // Pages and blocks: a whole database of a new wallet has less than 1 MiB.
    case .bytesRead: 64 << 20
    // Decompressed bytes: the state of MetaMask with 1,000 accounts has about 4 MiB.
    case .bytesProduced: 32 << 20
    // Pages, blocks, rows and entries: a new wallet has fewer than 10,000.
    case .visits: 1 << 16
    // scrypt's N·r·p: 1,024 keystores of geth's or EIP-2335's own cost, 2^21 each.
    case .memoryHard: 1 << 31
    // Rounds of HMAC or SHA-512: 1,024 keystores of EIP-2335's own cost, 262,144 each.
    case .rounds: 1 << 28
    // Files that one password opens: a validator's folder has up to some 1,000.
    case .derivations: 1 << 10
    // Keys derived for branches: a wallet of 10,000 descriptors has two branches each.
    case .candidates: 1 << 17
    // Wallets and keys of one source: the largest validators have some 1,000 keys in a folder.
    case .findings: 1 << 14
    }
  }

  /// Further work for each byte of the source's files.
  static func factor(of unit: WorkBudget.Unit) -> UInt64 {
    switch unit {
    // A database's pages are looked at for its tables, for one table's rows, and for the ends of long rows.
    case .bytesRead: 16
    // JSON of accounts shrinks to a tenth in Snappy, and in DEFLATE.
    case .bytesProduced: 64
    // An entry of LevelDB has three bytes at least, and deleted ones shrink to less in Snappy.
    case .visits: 4
    case .memoryHard, .rounds, .derivations, .candidates, .findings: 0
    }
  }

  /// The work of a single derivation, which nothing interrupts.
  static func single(of unit: WorkBudget.Unit) -> UInt64 {
    switch unit {
    // Four times the cost of geth and of EIP-2335, 2^18 · 8 · 1.
    case .memoryHard: 1 << 23
    // Four times the cost of MetaMask, 900,000.
    case .rounds: 1 << 22
    case .bytesRead, .bytesProduced, .visits, .derivations, .candidates, .findings: .max
    }
  }

  /// The memory of one derivation: four times that of geth and of EIP-2335, 256 MiB.
  static let derivationMemory: UInt64 = 1 << 30
}

/// The user, or a signal, ended the run.
public struct Interrupted: Error, Equatable, Sendable {
  /// Ends the run.
  public init() {}

  /// Returns whether an error reports that an interruption ended the work.
  package static func isCause(of error: any Error) -> Bool {
    switch error {
    case is Interrupted, CryptoError.interrupted: true
    case let error as SystemError: error.isInterrupted
    case ArchiveError.unreadable(let error): error.isInterrupted
    default: false
    }
  }
}
