internal import FoundationEssentials
internal import FuekiWallet

extension BackupBundle {
  /// Checks the collected key shares, and records their condition in the manifest.
  ///
  /// A share that fails is still backed up: a check must never lose a share.
  ///
  /// - Parameter encodings: the encodings that secrets can be read in.
  /// - Returns: the bundle with its ``shareReport``, and a problem for each fault.
  /// - Throws: ``CryptoError/outOfMemory`` or ``CryptoError/unavailable``.
  func checkingShares(_ encodings: [ShareEncoding]) throws -> BackupBundle {
    guard !shares.isEmpty else { return self }
    let known = try shares.map { try KnownShare($0.descriptor, secret: $0.secret, encodings: encodings) }
    let report = try ShareCheck.run(known, grouping: .byWallet)
    var checked = self
    checked.shareReport = report
    // A source may have noticed the same already.
    checked.problems += report.problems.filter { !problems.contains($0) }
    return checked
  }
}

extension ShareReport {
  /// Each thing that is wrong, as a manifest lists it.
  var problems: [RecordProblem] {
    sets.flatMap(\.findings).filter(\.isDifference).map { finding in
      var problem = RecordProblem()
      problem.section = UInt32(Section.keyShareDescriptors.rawValue)
      problem.id = Data(finding.shares.first?.id ?? [])
      let names = finding.shares.map(\.short).joined(separator: ", ")
      problem.problem = names.isEmpty ? finding.sentence : "\(names): \(finding.sentence)"
      return problem
    }
  }
}
