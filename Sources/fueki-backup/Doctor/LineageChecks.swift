internal import FuekiArchive
internal import FuekiBackup
internal import FuekiCrypto

/// Whose the archives in a target are.
enum LineageChecks {
  static func check(_ target: Target, _ trust: Trust) -> Check? {
    let name = "archives \(target.path)"
    do {
      let archives = try target.entries().compactMap(\.archive)
      let ownerships = try Ownerships(of: archives, trust: trust)
      let strangers = archives.count { ownerships[$0] == .stranger }
      guard strangers == 0 else {
        return .warning(
          name, "\(strangers) of \(archives.count) are a stranger's",
          remedy: "\"fueki-backup list\" names them. See who can write there")
      }
      let mine = archives.filter { ownerships[$0] == .mine }
      if mine.isEmpty, !archives.isEmpty {
        return .warning(
          name, "nothing shows that one of \(archives.count) is yours", remedy: "fueki-backup key trust KEY")
      }
      let newest = mine.max { $0.facts.sequence < $1.facts.sequence }
      if let newest, newest.facts.signer == nil {
        return .warning(
          name, "the newest is unsigned, so a stranger's archive would look the same",
          remedy: "fueki-backup key new-signer, and name it as sign_key")
      }
      return archives.isEmpty ? nil : .ok(name, "\(mine.count) of \(archives.count) are yours")
    } catch {
      return nil
    }
  }
}
