public import FuekiCrypto
internal import FuekiWallet

/// What a manifest says beside what was collected.
public struct ManifestFacts: Sendable {
  /// The program and its version.
  public var program: String
  /// What the person calls the backup.
  public var label: String
  /// The machine that made it.
  public var device: String
  /// The vault's signers.
  public var signers: Set<Ed25519.PublicKey> = []
  /// The things of worth in the archives before; nil if nothing is known of them.
  var inventory: Inventory?
  /// What in the new archive is missing of them, once its own things are known.
  var absent: @Sendable ([Holding]) -> [Absence] = { _ in [] }

  /// What a manifest says beside what was collected.
  public init(program: String, label: String, device: String) {
    self.program = program
    self.label = label
    self.device = device
  }
}

extension BackupBundle {
  /// More problems than this are counted, not listed: a manifest is one record.
  private static let listedProblems = 1000

  /// The manifest, but for the scope digests, which only the archive's writer knows.
  func manifest(_ facts: ManifestFacts) -> Manifest {
    var manifest = Manifest(
      program: facts.program, label: facts.label, device: facts.device,
      includesPrivateKeys: secretRecords[.privateKeys] != nil)
    manifest.name(signers: facts.signers)
    manifest.sources = reports
    manifest.problems = Array(problems.prefix(Self.listedProblems))
    if problems.count > Self.listedProblems {
      var rest = RecordProblem()
      rest.problem = "\(problems.count - Self.listedProblems) more records break their chain's rules"
      manifest.problems.append(rest)
    }
    manifest.unknownColumns = unknownColumns
    manifest.findings = findings
    manifest.shareChecks = shareReport?.manifestLines ?? []
    return manifest
  }
}
