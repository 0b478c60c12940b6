/// Looks for a short life that still breaks a promise.
enum LifeShrinking {
  /// How many lives are tried at most.
  private static let limit = 60

  /// Leaves out the events without which the same promise is still broken.
  ///
  /// The first event is the first wallet, which stays.
  static func shrink(_ events: [LifeEvent], _ broken: Life.Broken) throws -> [LifeEvent] {
    let kind = broken.description.prefix { $0 != ":" && $0 != "/" }
    var events = events
    var tries = 0
    var place = events.count - 1
    while place > 0, tries < limit {
      var shorter = events
      shorter.remove(at: place)
      tries += 1
      if try Life.play(shorter).broken?.description.hasPrefix(kind) == true { events = shorter }
      place -= 1
    }
    return events
  }
}
