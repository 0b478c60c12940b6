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
