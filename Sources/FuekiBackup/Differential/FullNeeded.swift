/// Ends the writing of a differential archive: a full one has to be made.
struct FullNeeded: Error, Equatable {
  let reason: FullReason
}
