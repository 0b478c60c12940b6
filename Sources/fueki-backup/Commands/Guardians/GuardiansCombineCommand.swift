internal import ArgumentParser
internal import FuekiArchive
internal import FuekiCrypto
internal import FuekiSystem

/// `guardians combine`: writes the key as an age identity file, for use outside `restore --guardian-shares`.
struct GuardiansCombineCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "combine", abstract: "Write the key of the shares as an age identity file.",
    discussion:
      "Rarely needed: \"restore --guardian-shares\" combines shares by itself, and leaves no key behind.")

  @Argument(
    help: .guardianSheets, completion: .file())
  var files: [String]
  @Option(
    help: .guardiansToCompare, completion: .file()
  )
  var guardians: String?
  @Option(
    help: .guardedVault)
  var vaultId: String?
  @Option(
    name: .withLetter(.output), help: ArgumentHelp("The identity file to make.", valueName: "file"),
    completion: .file())
  var output: String
  @OptionGroup var sandbox: SandboxOptions
  @OptionGroup var speech: OutputOptions

  func run() throws {
    let console = speech.console
    _ = try sandbox.enter(needs, Configuration(), console)
    let known = try guardians.map { try KnownGuardians($0, vault: vaultId) }
    let shares = try files.map { path in
      let given = try GivenShare(path)
      if let problem = try given.problem(of: known) { throw Self.failure("\(path): \(problem.sentence)") }
      return try given.share.get()
    }
    let key: SharedSecret
    do {
      key = SharedSecret(try SLIP39.combine(shares, passphrase: try SecretBytes(count: 0)))
    } catch let error as SLIP39Error {
      throw failure(error)
    }
    // The shares do not state the kind of their key, so without the public file both are written.
    let forms = known.map { [$0.set.form] } ?? [.hybrid, .x25519]
    let recipients = try forms.map { form in
      AgeKey.text(recipient: try form.publicKey(of: key.bytes), form)
    }
    if let known, known.set.publicKey != (try known.set.form.publicKey(of: key.bytes)) {
      throw Self.failure("the shares do not lead to the key of \(guardians ?? "")")
    }
    try write(key.bytes, forms, recipients)
    guard !speech.json else {
      // The public file's kind, else the hybrid one first.
      return Document.write([
        "schema": "fueki.guardians/1", "output": output, "recipient": recipients[0],
        "classicalRecipient": recipients.count > 1 ? recipients.last : nil,
      ])
    }
    console.line(output)
    console.report("this file opens every archive that the guardians open: delete it after use")
  }

  private func write(
    _ key: borrowing SecretBytes, _ forms: [AgeKeyForm], _ recipients: [String]
  ) throws {
    var text = try SecretText(capacity: 4096)
    for (form, recipient) in zip(forms, recipients) {
      let identity = try AgeKey.identityText(key, form)
      text.append("# public key: \(recipient)\n")
      identity.bytes.withBytes { text.append($0) }
      text.append("\n")
    }
    let file = try text.finish()
    try NewPrivateFile.write(file, to: output)
  }

  private func failure(_ error: SLIP39Error) -> Failure {
    switch error {
    case .otherSet(let place): Self.failure("\(files[place]) belongs to another set than the others")
    case .duplicateMember(let place):
      Self.failure("\(files[place]) is from the same guardian as one before it")
    case .tooFew(let have, let need):
      Self.failure(
        "\(have) of \(need) shares are here: \(need - have) more \(need - have == 1 ? "is" : "are") needed")
    default: Self.failure(error.sentence)
    }
  }

  private static func failure(_ sentence: String) -> Failure {
    Failure(
      .wrongSecret, sentence, meaning: "nothing was written",
      hint: "\"guardians check\" tells each guardian whether their share is intact")
  }
}
