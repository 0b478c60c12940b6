import FuekiSystem
import TestSupport
import Testing

/// Commands that are cut short, or that the system fails, at every call.
///
/// All cases with FUEKI_FULL=1; else a part of them, chosen by ``TestSeed``.
@Suite(.serialized, .enabled(if: Strace.isPermitted, Comment(rawValue: Strace.reason)))
struct CrashMatrixTests {
  /// The sizes of a command's sample: of kills before something gets or loses a name or is made durable, and of others.
  private static let (decisiveCount, otherCount) = (4, 6)

  private static func sample(_ cases: [CrashMatrix.Case]) -> [CrashMatrix.Case] {
    // A single fault, for debugging.
    if let fault = Environment.get("FUEKI_FAULT") { return cases.filter { $0.fault.rawValue == fault } }
    let isDecisive = { (one: CrashMatrix.Case) in one.fault == .kill && one.call.isDecisive }
    return TestSeed.sample(cases.filter(isDecisive), of: decisiveCount)
      + TestSeed.sample(cases.filter { !isDecisive($0) }, of: otherCount)
  }

  @Test(arguments: CrashScenario.all)
  func `cut short at any call, nothing good is lost and nothing partial is seen`(_ scenario: CrashScenario)
    throws
  {
    try tryAll(scenario)
  }

  @Test(arguments: CrashScenario.restores)
  func `a restore that is cut short at any call leaves the old wallet or the new one`(
    _ scenario: CrashScenario
  ) throws {
    try tryAll(scenario)
  }

  @Test(arguments: CrashScenario.puttingBack)
  func `files that are being put back when it is cut short are there whole or not at all`(
    _ scenario: CrashScenario
  ) throws {
    try tryAll(scenario)
  }

  @Test(arguments: CrashScenario.beside)
  func `beside another program, too, nothing good is lost`(_ scenario: CrashScenario) throws {
    try tryAll(scenario, isCounted: false)
  }

  // Not counted are runs that do not always make the same calls: there a case that meets none says nothing.
  private func tryAll(_ scenario: CrashScenario, isCounted: Bool = true) throws {
    let matrix = try CrashMatrix(scenario)
    if isCounted {
      #expect(matrix.strayCalls.isEmpty, "not done by the thread that faults are put at")
    }
    let cases = Self.sample(matrix.cases)
    var results = try matrix.run(cases)
    #expect(results.count == cases.count && !cases.isEmpty)
    if !isCounted {
      results.removeAll { $0.problems == [CrashMatrix.notHit] }
      #expect(results.count * 2 > cases.count, "too few cases met their call")
    }
    let wrong = results.filter { !$0.problems.isEmpty }
    for (one, problems) in wrong.prefix(20) {
      Issue.record("\(scenario.name), \(one): \(problems.joined(separator: "; "))")
    }
    #expect(wrong.isEmpty, "seed \(TestSeed.value)")
    let part = TestSeed.isFull ? "all" : "\(cases.count) (FUEKI_SEED=\(TestSeed.value)) of"
    print(
      "crash matrix: \(scenario.name): \(matrix.calls.count) calls, \(part) \(matrix.cases.count) cases, "
        + "\(wrong.count) failures")
  }
}

extension CrashScenario: CustomTestStringConvertible {
  var testDescription: String { name }
}
