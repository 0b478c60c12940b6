internal import FuekiArchive
internal import FuekiBackup

/// Checks that the secrets of unattended runs open the newest archive.
enum SecretChecks {
  static func all(
    _ candidates: SecretTrial.Candidates, _ targets: [Target], _ configuration: Configuration, _ trust: Trust
  ) -> [Check] {
    let archives = targets.flatMap { (try? $0.entries()) ?? [] }.compactMap(\.archive)
    guard let ownerships = try? Ownerships(of: archives, trust: trust) else { return [] }
    let mine = archives.filter { ownerships[$0] == .mine }
    return SecretTrial(candidates, configuration, mine).findings.map { finding in
      let name = "secret \(finding.place.path)"
      guard let problem = finding.problem else {
        return .ok(name, "opens the newest archive, \(finding.archive.statedDigest.shortID)")
      }
      return .failed(name, problem, remedy: finding.remedy)
    }
  }
}
