internal import FuekiArchive
internal import FuekiCrypto

/// A share from a file of the user's, valid or not.
struct GivenShare {
  let path: String
  let share: Result<SLIP39Share, SLIP39Error>

  init(_ path: String) throws {
    self.path = path
    let words = try GuardianShareFile.words(inFile: path)
    do throws(SLIP39Error) {
      share = .success(try SLIP39Share(words: words.bytes))
    } catch {
      share = .failure(error)
    }
  }

  /// Returns its fault by itself or, if the guardians are known, as one of their shares.
  func problem(of guardians: KnownGuardians?) throws -> ShareProblem? {
    switch share {
    case .failure(.crypto(let error)): throw error
    case .failure(let error): return .words(error)
    case .success(let share):
      guard share.isOfGuardians else { return .notOfGuardians }
      return try guardians.flatMap { try $0.problem(with: share) }
    }
  }
}

extension SLIP39Share {
  /// Whether its numbers are those that guardians' shares have: one group, exponent 1, not extendable, a key's length.
  var isOfGuardians: Bool {
    groupCount == 1 && groupIndex == 0 && iterationExponent == 1 && !isExtendable && memberThreshold >= 2
      && value.bytes.count == AgeKeyForm.identityByteCount
  }
}

/// Guardians as their public file has them, and the vault that their tags are bound to.
struct KnownGuardians {
  let set: GuardianSet
  let vaultID: VaultID

  /// - Parameters:
  ///   - path: of the public file.
  ///   - vault: in hex; nil to use the file's comment.
  /// - Throws: ``CommandError/usage(_:)`` if neither states the vault.
  init(_ path: String, vault: String?) throws {
    set = try GuardianFile.read(path)
    guard let vaultID = try vault.map(VaultName.read) ?? GuardianFile.vaultID(path) else {
      throw CommandError.usage("\(path) does not name its vault: use --vault-id")
    }
    self.vaultID = vaultID
  }

  func problem(with share: SLIP39Share) throws -> ShareProblem? {
    guard share.identifier == set.identifier, share.memberThreshold == set.threshold,
      share.memberIndex < set.shareTags.count
    else { return .otherGuardians }
    let words = try share.words()
    let tag = GuardianSet.shareTag(of: words.bytes, vaultID: vaultID)
    return tag == set.shareTags[share.memberIndex] ? nil : .otherTag(member: share.memberIndex + 1)
  }
}

/// The fault of a given share.
enum ShareProblem {
  case words(SLIP39Error)
  case notOfGuardians
  case otherGuardians
  case otherTag(member: Int)
  case otherSet(than: String)
  case sameMember(as: String)

  var sentence: String {
    switch self {
    case .words(let error): error.sentence
    case .notOfGuardians: "it is a share, but \"guardians split\" does not make such shares"
    case .otherGuardians: "it is a whole share, but of other guardians"
    case .otherTag(let member):
      "it says that it is guardian \(member)'s, but it is not the share that was made: it is of another vault, or forged"
    case .otherSet(let path): "it is a whole share, but of another set than \(path)"
    case .sameMember(let path): "it is from the same guardian as \(path)"
    }
  }

  /// The place of the wrong word, from 1, if a single word is wrong.
  var place: Int? {
    if case .words(.unknownWord(let place)) = self { return place }
    return nil
  }
}
