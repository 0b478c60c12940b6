public import FuekiCrypto
internal import FuekiWallet

/// A manifest's facts, apart from the collected records.
public struct ManifestFacts: Sendable {
  /// The program and its version.
  public var program: String
  /// The user's name for the backup.
  public var label: String
  /// The machine that made it.
  public var device: String
  /// The vault's signers.
  public var signers: Set<Ed25519.PublicKey> = []
  /// The things of worth in the archives before; nil if nothing is known of them.
  var inventory: Inventory?
  /// Returns the things that the new archive lacks, once its own are known.
  var absent: @Sendable ([Holding]) -> [Absence] = { _ in [] }

  /// Creates a manifest's facts.
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
