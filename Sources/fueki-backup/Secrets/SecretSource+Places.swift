internal import FuekiCrypto
internal import FuekiSystem

/// Reads secrets from files, commands and descriptors.
extension SecretSource {
  private static let keyFileBytes = 32...(64 << 20)

  static func privateFile(_ path: String) throws -> File {
    let file: File
    do {
      if let descriptor = HandedFiles.descriptor(of: path) {
        file = try File.duplicating(descriptor: descriptor)
      } else {
        file = try File.open(path)
      }
    } catch  where error.isInterrupted {
      throw error
    } catch {
      // Not status 10, which says that an archive, a target or a wallet is missing.
      throw CommandError.secretUnreadable(source: "the file", reason: Failure(error).message)
    }
    let permissions = try file.permissions()
    let forbidden: UInt16 = isCredential(path) ? 0o037 : 0o077
    guard permissions & forbidden == 0 else { throw CommandError.othersCanRead(path: path) }
    // What another process of this program opened was checked there.
    if HandedFiles.descriptor(of: path) == nil { try ForeignSecrets.check(file, path) }
    return file
  }

  /// Returns whether systemd delivered the file, in a folder that is closed to others.
  ///
  /// Access for this user is in an access list, whose mask looks like a group permission.
  private static func isCredential(_ path: String) -> Bool {
    guard let folder = Environment.get("CREDENTIALS_DIRECTORY"), !folder.isEmpty else { return false }
    return ExactText(PathParts(path).folder) == ExactText(folder)
  }

  /// Another program's password, as `--keystore-password-from` names it.
  static func password(from place: SecretPlace) throws -> GivenSecret {
    try secret(from: place, .asTypedOrEmpty)
  }

  /// An archive's passphrase as a file has it now, which may change in a run.
  static func passphrase(inFile path: String) throws -> GivenSecret { try secret(inFile: path, .normalised) }

  static func secret(from place: SecretPlace, _ form: GivenSecret.Form) throws -> GivenSecret {
    switch place {
    case .file(let path): return try secret(inFile: path.text, form)
    case .command(let command): return try secret(fromCommand: command.text, form)
    case .descriptor(let number):
      let file = try File.duplicating(descriptor: number)
      return try read(form, from: .saved) { buffer in try file.read(into: &buffer) }
    }
  }

  private static func secret(inFile path: String, _ form: GivenSecret.Form) throws -> GivenSecret {
    let file = try privateFile(path)
    do {
      return try read(form, from: .saved) { buffer in try file.read(into: &buffer) }
    } catch CommandError.noPassphrase(let problem) {
      throw CommandError.noPassphraseIn(path: path, problem)
    }
  }

  private static func secret(
    fromCommand command: String, _ form: GivenSecret.Form
  ) throws -> GivenSecret {
    try read(form, from: .saved) { buffer in
      let output = try ChildProcess.run(
        shell: command, withoutVariables: Name.allCases.map(\.variable), into: &buffer)
      guard output.ending == .exited(0) else {
        throw CommandError.secretUnreadable(source: "the command", reason: "it \(output.ending.sentence)")
      }
      return output.byteCount
    }
  }

  /// Reads into wiped memory.
  static func read(
    _ form: GivenSecret.Form, from origin: GivenSecret.Origin,
    _ read: (inout MutableSpan<UInt8>) throws -> Int
  ) throws -> GivenSecret {
    var raw = try SecretBytes(count: capacity)
    let count: Int
    do {
      count = try raw.withMutableBytes { buffer in try read(&buffer) }
    } catch let error as SystemError where error.isTooLong {
      guard form == .normalised else {
        throw CommandError.secretUnreadable(
          source: "the password", reason: "it has more than \(capacity - 2) bytes")
      }
      throw CommandError.noPassphrase(.tooLong)
    }
    return try GivenSecret(try raw.copy(0..<count), from: origin, as: form)
  }

  /// All bytes of a key file.
  static func keyFile(_ path: String) throws -> SharedSecret {
    guard let bytes = try PrivateFile.bytes(path, atMost: keyFileBytes.upperBound),
      bytes.count >= keyFileBytes.lowerBound
    else { throw CommandError.secretUnreadable(source: path, reason: "a key file has 32 bytes to 64 MiB") }
    return SharedSecret(bytes)
  }
}
