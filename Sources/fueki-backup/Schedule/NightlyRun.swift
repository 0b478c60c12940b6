/// A backup that nobody starts by hand: what is run, by whom, when, and what it may touch.
struct NightlyRun {
  /// What the unit's files are called.
  let name: String
  let program: String
  let user: String
  /// Hours and minutes, in the machine's own time.
  let time: (hour: Int, minute: Int)
  /// The arguments that both kinds of schedule have.
  let arguments: [String]
  let passphraseFile: String?
  let keyFile: String?
  let keychainKeyFile: String?
  /// The only folders that the run may write to.
  let writable: [String]
  let stateDirectory: String
  /// Whether anything but files is needed.
  let usesNetwork: Bool
}
