internal import FuekiBackup
internal import FuekiCrypto

/// Judges whether a program next to archives is the original one.
struct ProgramTrust {
  /// The judgement of a program.
  enum Judgement {
    /// This machine put it there.
    case known
    /// A trusted signer signed it.
    case signed
    /// It is not as its own list says.
    case faulty(ProgramBeside.Fault)
    /// This machine put another program or page of the same version next to archives.
    case replaced
    /// Its origin is unknown.
    case unknown
  }

  private let known: [Digest: String]
  private let keys: Set<Ed25519.PublicKey>

  /// Creates the judge from this machine's state and the signers of every vault.
  init(_ state: StateDirectory, _ trust: Trust) throws {
    known = try state.programs()
    var keys = trust.everywhere
    for signers in trust.configured.values { keys.formUnion(signers) }
    for vault in state.vaults().keys { keys.formUnion((try? trust.of(vault))?.signers ?? []) }
    self.keys = keys
  }

  func judge(_ program: ProgramBeside) -> Judgement {
    if let fault = program.fault { return .faulty(fault) }
    let digests = [program.digest, program.pageDigest].compactMap(\.self)
    if digests.allSatisfy({ known[$0] != nil }) { return .known }
    if program.signer(among: keys) != nil { return .signed }
    return known.values.contains(program.version) ? .replaced : .unknown
  }

  /// Returns whether this machine wrote the page that leads people to a program.
  func knows(page bytes: [UInt8]) -> Bool { known[SHA256.hash(bytes)] == StartHere.stateName }

  /// Returns whether a page may refer people to it.
  func accepts(_ program: ProgramBeside) -> Bool {
    switch judge(program) {
    case .known, .signed: true
    case .faulty, .replaced, .unknown: false
    }
  }

  /// The programs in a target that no page may lead to, the newest version first.
  func unaccepted(in target: Target) -> [ProgramBeside] {
    ProgramBeside.all(in: target).filter { !accepts($0) }
  }
}
