/// Whether an archive is to hold all of the history, or what differs from an earlier one.
public enum HistoryChoice: Hashable, Sendable {
  /// Everything, and the next ones may hold what differs from this one.
  case full
  /// Only the differences; fail if that is impossible.
  case differential
  /// The differences, or everything if the base is at least this old or is unsuitable.
  case whenDue(every: CalendarSpan)
}
