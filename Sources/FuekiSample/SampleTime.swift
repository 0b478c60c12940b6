/// The times of the sample's events, in microseconds since 1970.
enum SampleTime {
  /// 2019-06-01T00:00:00Z.
  static let start: Int64 = 1_559_347_200_000_000
  /// 2026-11-21T06:00:00Z.
  static let end: Int64 = 1_795_240_800_000_000

  /// Returns the time of one of `count` evenly spread events, in whole seconds like block times.
  static func of(_ place: Int, among count: Int) -> Int64 {
    let seconds = (end - start) / 1_000_000
    return start + Int64(Double(seconds) * Double(place) / Double(max(count, 1))) * 1_000_000
  }

  /// Returns a chain's height at a time, from its height at the start and its block interval in seconds.
  static func height(at time: Int64, from first: UInt64, every seconds: Int64) -> UInt64 {
    first + UInt64((time - start) / 1_000_000 / seconds)
  }
}
