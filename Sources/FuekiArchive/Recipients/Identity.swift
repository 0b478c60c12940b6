/// A caller's secret that may open slots of one type, like an identity in age.
protocol Identity: Sendable {
  /// Derives the secret of a slot of its type, which may turn out to be wrong.
  ///
  /// - Throws: ``ArchiveError/tooFewShares(_:)`` or ``ArchiveError/pluginFailed(_:)`` if the slot stays
  ///   locked for a reason to report; any other error ends the reading.
  func unwrap(_ slot: SlotPlace) throws(ArchiveError) -> UnwrappingSecret
}
