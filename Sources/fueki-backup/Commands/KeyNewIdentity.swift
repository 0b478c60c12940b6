internal import ArgumentParser
internal import FuekiCrypto
internal import FuekiSystem

/// `key new-identity`: writes an identity file in the form of `age-keygen -pq`, and the recipient next to it.
struct KeyNewIdentity: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "new-identity", abstract: "Make a hybrid age identity, which opens archives.",
    discussion: "Its recipient, in a file .pub next to it, is for create --recipients-file.")

  @Option(
    name: .withLetter(.output),
    help: ArgumentHelp(
      "The file to make. The default is identity.txt next to the configuration.", valueName: "file"),
    completion: .file())
  var path: String?
  @OptionGroup var output: OutputOptions

  func run() throws {
    let console = output.console
    let files = try NewKeyFiles(at: path, orNextToConfiguration: "identity.txt")
    let seed = try SecretBytes.random(count: AgeKeyForm.identityByteCount)
    let recipient = AgeKey.text(recipient: try AgeKeyForm.hybrid.publicKey(of: seed), .hybrid)
    try Self.write(seed, recipient, to: files.path)
    try OutputFile.write("\(recipient)\n", to: files.publicPath, existing: .kept)
    guard !output.json else {
      return Document.write(
        NewIdentityDocument(path: files.path, publicPath: files.publicPath, recipient: recipient))
    }
    console.line(recipient)
    console.note("the identity is in \(files.path): keep it off this machine, because it opens archives")
    console.note("create seals to it with --recipients-file \(files.publicPath)")
  }

  private static func write(_ seed: borrowing SecretBytes, _ recipient: String, to path: String) throws {
    let identity = try AgeKey.identityText(seed, .hybrid)
    var text = try SecretText(capacity: 4096)
    text.append("# created: \(Times.text(UInt64(max(0, SystemClock.now)) / 1_000_000))\n")
    text.append("# public key: \(recipient)\n")
    identity.bytes.withBytes { text.append($0) }
    text.append("\n")
    let file = try text.finish()
    try NewPrivateFile.write(file, to: path)
  }
}

/// `key new-identity --json`.
struct NewIdentityDocument: Encodable {
  let schema = "fueki.key-new-identity/1"
  let path: String
  let publicPath: String
  let recipient: String
}
