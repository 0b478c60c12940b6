package import FuekiWallet

extension DescriptorError {
  /// One sentence for people, to stand after the descriptor.
  package var sentence: String {
    switch self {
    case .tooLong: "is too long"
    case .invalidCharacter: "has a character that no descriptor has"
    case .noChecksum: "has no eight characters of checksum after its #"
    case .wrongChecksum: "does not match its checksum: a character is wrong"
    case .syntax: "is no descriptor"
    case .unsupported(let name): "has the expression \(name), which is not understood"
    case .misplaced(let name): "has the expression \(name) where it may not stand"
    case .invalidKey: "has a key that is none"
    case .privateKey: "has a private key"
    case .uncompressedKey: "has an uncompressed key where only compressed ones may stand"
    case .invalidOrigin: "has a key whose origin is none"
    case .invalidStep: "has a key with a step that is none"
    case .hardenedStep: "has a hardened step that only a private key could take"
    case .invalidMultipath: "has steps of several numbers that do not fit"
    case .invalidThreshold: "has a number of signatures that its keys cannot give"
    case .invalidScript: "has a script that is not hexadecimal"
    case .address(let problem): "has an address that \(problem.sentence)"
    case .noAddress: "has no addresses"
    case .otherNetwork: "belongs to another network"
    case .noSuchBranch: "has no such branch"
    case .noSuchIndex: "has no key with that index"
    case .crypto: "cannot be computed by this system's cryptographic library"
    }
  }
}
