internal import FoundationEssentials

extension SourceReport {
  /// Creates the report of a source before collecting.
  public init(source name: String) {
    self.init()
    self.name = name
    complete = true
  }

  /// Adds to the number of records of a section from this source.
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

  /// Records an exclusion with its reason.
  ///
  /// The source is complete only if all exclusions were by request.
  public mutating func exclude(_ what: String, reason: String, byRequest: Bool) {
    var exclusion = Exclusion()
    exclusion.what = what
    exclusion.reason = reason
    exclusion.byRequest = byRequest
    excluded.append(exclusion)
    complete = excluded.allSatisfy(\.byRequest)
  }

  /// Returns the number of records of a section from this source.
  public func records(in section: Section) -> UInt64 {
    included.first { $0.section == section.rawValue }?.records ?? 0
  }

  /// The exclusions that were not requested.
  public var losses: [Exclusion] { excluded.filter { !$0.byRequest && !$0.isKeptUnread } }

  /// The files that are in the archive though no kind reads them, each with the reason.
  public var keptUnread: [String] {
    excluded.filter(\.isKeptUnread).map { "\(name): \($0.what): \($0.bareReason)" }
  }

  /// The items missing from the archive, each with the reason; empty if the source is complete.
  public var missing: [String] {
    guard !complete else { return [] }
    return losses.isEmpty ? ["\(name): not all of it"] : losses.map { "\(name): \($0.what): \($0.reason)" }
  }
}
