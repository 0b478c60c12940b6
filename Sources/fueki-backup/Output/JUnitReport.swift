internal import FuekiArchive
internal import FuekiBackup
internal import FuekiSystem

/// A verification as CI services read it: one test case for each archive.
enum JUnitReport {
  /// The file of `junit=FILE`.
  static func path(_ option: String) throws -> String {
    guard option.hasPrefix("junit="), option.count > 6 else {
      throw CommandError.usage("--report takes junit=FILE, not \(option)")
    }
    return String(option.dropFirst(6))
  }

  /// Writes the report, replacing an older one; what was asked for and is missing is a case of its own, and so is each
  /// thing that does not fit together, where that counts.
  static func write(
    _ results: [VerificationResult], missing: String?, gaps: [String], to path: String
  ) throws {
    let failures = results.count { $0.verdict != .intact } + gaps.count
    let count = results.count + gaps.count + (missing == nil ? 0 : 1)
    let seconds = results.map(\.seconds).reduce(0, +)
    let counts =
      "tests=\"\(count)\" failures=\"\(failures)\" errors=\"\(missing == nil ? 0 : 1)\" time=\"\(text(seconds))\""
    var lines = [
      "<?xml version=\"1.0\" encoding=\"UTF-8\"?>", "<testsuites \(counts)>",
      "<testsuite name=\"fueki-backup verify\" \(counts)>",
    ]
    lines += results.map(testCase)
    lines += gaps.map { gap in
      "<testcase classname=\"fueki-backup.verify\" name=\"complete\"><failure type=\"incomplete-lineage\" message="
        + "\"\(XMLText.escaped(gap))\"/></testcase>"
    }
    if let missing {
      lines.append(
        "<testcase classname=\"fueki-backup.verify\" name=\"archives\"><error type=\"not-found\" message="
          + "\"\(XMLText.escaped(missing))\"/></testcase>")
    }
    lines += ["</testsuite>", "</testsuites>", ""]
    try OutputFile.write(lines.joined(separator: "\n"), to: path, existing: .replaced)
  }

  private static func testCase(_ result: VerificationResult) -> String {
    let start =
      "<testcase classname=\"fueki-backup.verify.\(result.depth.rawValue)\" "
      + "name=\"\(XMLText.escaped(result.path))\" time=\"\(text(result.seconds))\""
    guard result.verdict != .intact else { return start + "/>" }
    let detail = VerifyLines.details(result)
    return start + "><failure type=\"\(result.verdict.rawValue)\" message=\"\(result.verdict.rawValue)"
      + (detail.first.map { ": " + XMLText.escaped($0) } ?? "") + "\">"
      + XMLText.escaped(detail.joined(separator: "\n")) + "</failure></testcase>"
  }

  private static func text(_ seconds: Double) -> String {
    let thousandths = Int((seconds * 1000).rounded())
    let digits = String(thousandths % 1000)
    return "\(thousandths / 1000)." + String(repeating: "0", count: 3 - digits.count) + digits
  }
}
