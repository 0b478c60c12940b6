/// The keys of a source's settings, with their values.
///
/// The second setting with a key gets a suffix, later ones also a number, so that many variants of one
/// setting cost no more than their length.
struct SettingKeys {
  private var taken: Set<[UInt8]> = []
  /// The values of each key used by the source, and the number that needed other keys.
  private var said: [[UInt8]: (values: Set<[UInt8]>, marks: Int)] = [:]

  /// Returns the key for a setting's value; nil for a duplicate.
  mutating func take(_ key: String, for json: String) -> String? {
    let spelt = Array(key.utf8)
    guard said[spelt, default: (values: [], marks: 0)].values.insert(Array(json.utf8)).inserted else {
      return nil
    }
    var free = key
    while !taken.insert(Array(free.utf8)).inserted {
      said[spelt]?.marks += 1
      let marks = said[spelt]?.marks ?? 1
      free = key + (marks == 1 ? "'" : "'\(marks)")
    }
    return free
  }
}
