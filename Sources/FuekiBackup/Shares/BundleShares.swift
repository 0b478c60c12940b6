internal import FoundationEssentials
internal import FuekiWallet

extension BackupBundle {
  /// Checks the key shares that were collected, so that the manifest says how they are.
  ///
  /// A share that fails is backed up all the same: a check must never cost anybody a share.
  ///
  /// - Parameter encodings: those that secrets can be read in.
  /// - Returns: the bundle with its ``shareReport``, and a problem for each thing that is wrong.
  /// - Throws: ``CryptoError/outOfMemory`` or ``CryptoError/unavailable``.
  public func checkingShares(_ encodings: [ShareEncoding]) throws -> BackupBundle {
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
