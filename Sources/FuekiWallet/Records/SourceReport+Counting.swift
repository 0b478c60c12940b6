internal import FoundationEssentials

extension SourceReport {
  /// Makes the report of a source of which nothing has been collected yet.
  public init(source name: String) {
    self.init()
    self.name = name
    complete = true
  }

  /// Adds to the number of records that a section got from this source.
  public mutating func include(_ count: UInt64, in section: Section) {
    guard count > 0 else { return }
    if let i = included.firstIndex(where: { $0.section == section.rawValue }) {
      included[i].records += count
      return
    }
    var entry = SectionCount()
    entry.section = UInt32(section.rawValue)
    entry.records = count
    let place = included.firstIndex { $0.section > entry.section } ?? included.endIndex
    included.insert(entry, at: place)
  }

  /// Says what was left out, and why; the source is complete only if all of it was by request.
  public mutating func exclude(_ what: String, reason: String, byRequest: Bool) {
    var exclusion = Exclusion()
    exclusion.what = what
    exclusion.reason = reason
    exclusion.byRequest = byRequest
    excluded.append(exclusion)
    complete = excluded.allSatisfy(\.byRequest)
  }

  /// How many records a section got from this source.
  public func records(in section: Section) -> UInt64 {
    included.first { $0.section == section.rawValue }?.records ?? 0
  }

  /// What is missing without anybody having asked for it.
  public var losses: [Exclusion] { excluded.filter { !$0.byRequest } }

  /// What the source holds and the archive lacks, each with the reason; none where the source is complete.
  public var missing: [String] {
    guard !complete else { return [] }
    return losses.isEmpty ? ["\(name): not all of it"] : losses.map { "\(name): \($0.what): \($0.reason)" }
  }
}
