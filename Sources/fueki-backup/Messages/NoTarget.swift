/// Nothing says where archives are, or where they go.
enum NoTarget {
  static func failure(_ command: String, _ configuration: Configuration) -> Failure {
    let isSetUp = configuration.path != nil
    return Failure(
      .usage, "\(command) needs a target: the folder or disk with the archives",
      meaning: isSetUp
        ? "the configuration names none. Nothing was done"
        : "this machine is not set up yet. Nothing was done",
      hint: "fueki-backup init sets up backups and asks for a folder. Or name one with --target DIR")
  }
}
