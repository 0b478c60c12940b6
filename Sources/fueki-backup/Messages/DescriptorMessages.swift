package import FuekiWallet

extension DescriptorError {
  /// One sentence for display after the descriptor.
  package var sentence: String {
    switch self {
    case .tooLong: "is too long"
    case .invalidCharacter: "contains a character that is not allowed in descriptors"
    case .noChecksum: "has no valid checksum (eight characters) after its #"
    case .wrongChecksum: "does not match its checksum: at least one character is wrong"
    case .syntax: "is not written correctly"
    case .unsupported(let name): "uses \(name), which this program does not support"
    case .misplaced(let name): "uses \(name) in a place where it is not allowed"
    case .invalidKey: "contains an invalid key"
    case .privateKey: "contains a private key, but only public keys are allowed in it"
    case .uncompressedKey: "contains an uncompressed key where only compressed keys are allowed"
    case .invalidOrigin: "contains a key with an invalid origin, the part in [ ] before it"
    case .invalidStep: "contains a key with an invalid step in its path"
    case .hardenedStep: "contains a hardened step, which needs the private key"
    case .invalidMultipath: "contains steps with several numbers, as in <0;1>, that do not fit together"
    case .invalidThreshold: "needs a number of signatures that is impossible with its keys"
    case .invalidScript: "contains a script that is not hexadecimal"
    case .address(let problem): "contains an address that \(problem.sentence)"
    case .noAddress: "leads to no address"
    case .otherNetwork: "belongs to another network"
    case .noSuchBranch: "has no such branch"
    case .noSuchIndex: "has no key with that index"
    case .crypto: "cannot be computed by this system's cryptographic library"
    }
  }
}
