import Testing

/// A mistake that a person makes, and what the program ends with.
struct Mistake: CustomTestStringConvertible {
  let words: String
  let status: Int32
  let id: String
  /// Whether the machine has no wallet of this program's.
  var isBare = false

  var testDescription: String { words }

  private static func usage(_ words: String) -> Mistake { Mistake(words: words, status: 64, id: "usage") }

  private static func missing(_ words: String) -> Mistake {
    Mistake(words: words, status: 10, id: "not-found")
  }

  private static func closed(_ words: String) -> Mistake {
    Mistake(words: words, status: 12, id: "wrong-secret")
  }

  /// In the words: NONE is nothing, EMPTY an empty folder, TARGET a folder with one archive, NEW a folder to make, FILE
  /// a text, PASS the passphrase, and OPEN, VOID, WEAK and WRONG other files of passphrases; SHEET has four words that
  /// no share has, and TOML is a configuration with a mistake.
  static let all: [Mistake] =
    commands + targets + sources + secrets + archives + others

  private static let commands =
    [
      "creat", "restor", "snapshts", "xyzzy", "undelete", "bakcup", "key lits", "config chekc", "kit pritn",
      "guardians spilt", "schedule instal", "checkpoint exprot", "key", "list --targt TARGET",
      "list --progress loud", "create --nonsense", "verify -z TARGET", "restore TARGET NEW EMPTY",
    ].map(usage)

  private static let targets =
    [
      "list", "verify", "status", "prune --keep-last 3", "restore", "create", "copy -t TARGET",
      "doctor --target",
      "prune", "prune -t TARGET", "prune -t TARGET --keep-last three", "prune -t TARGET --keep-last -3",
      "status --max-age soon -t TARGET", "schedule print --systemd -t TARGET --at noon",
      "schedule print --systemd --cron", "list --vault none -t TARGET", "list --config TOML",
      "config validate --config NONE", "config show --config TOML", "init --vault", "install --prefix",
    ].map(usage)
    + [
      "list NONE", "verify EMPTY", "verify NONE", "show", "kit print", "checkpoint export", "show EMPTY",
      "restore latest -t EMPTY", "drill EMPTY", "put-back EMPTY", "repair EMPTY", "kit test EMPTY",
      "prune -t NONE --keep-last 3",
      "discover --home NONE", "create -t NONE PASSES",
    ].map(missing)

  private static let sources =
    [
      "create -t EMPTY --from FILE", "create -t EMPTY --from NONE", "create -t EMPTY --from floppy:/dev/fd0",
      "create -t EMPTY --from", "create -t EMPTY --from store --from store", "create -t EMPTY --only keys",
      "create -t EMPTY --only everything", "create -t EMPTY --exclude manifest",
      "create -t EMPTY --kdf-memory 63", "create -t EMPTY --kdf-memory 1024 --kdf-passes 17",
      "create -t EMPTY --kdf-memory lots", "create -t EMPTY --kdf-passes 1", "create -t EMPTY --parity 300%",
      "create -t EMPTY --wait soon", "create -t EMPTY --full --differential", "import",
      "import FILE --format floppy",
      "create -t EMPTY --include-private-keys PASSES", "create -t EMPTY --sign-key FILE --unsigned PASSES",
    ].map(usage)
    + [
      Mistake(words: "create", status: 10, id: "not-found", isBare: true),
      Mistake(words: "resync", status: 10, id: "not-found", isBare: true),
      Mistake(words: "import FILE", status: 1, id: "failed"),
    ] + ["import NONE", "create -t EMPTY --from file:NONE"].map(missing)

  private static let secrets =
    [
      "create --passphrase hunter2", "create --passphrase=hunter2", "create --password hunter2",
      "restore --keychain-passphrase hunter2", "key change-passphrase latest --new-passphrase hunter2",
      "show --mnemonic legal", "init --passphrase hunter2", "show TARGET -p VOID", "show TARGET -p OPEN",
      "create -t EMPTY KEYCHAIN -p VOID", "create -t EMPTY --from file:FILE -p WEAK",
      "restore abandon ability able about above absent absorb abstract absurd abuse access accident",
      "import legal winner thank year wave sausage worth useful legal winner thank yellow",
      "create -t EMPTY --recipient nobody PASSES", "create -t EMPTY --recipients-file FILE PASSES",
      "verify TARGET --depth structure --trusted-signer config",
    ].map(usage)
    + [
      "show TARGET -p NONE", "show TARGET -p WRONG", "show TARGET --identity NONE",
      "show TARGET --identity FILE",
      "show TARGET --guardian-shares SHEET", "restore TARGET -p WRONG --datadir NEW", "drill TARGET -p WRONG",
      "create -t EMPTY KEYCHAIN -p NONE", "create -t EMPTY KEYCHAIN -p command:false",
      "create -t EMPTY KEYCHAIN", "guardians check NONE",
      "create -t EMPTY -p PASS --keychain-passphrase-from file:WRONG", "key new-signer",
    ].map(closed)

  private static let archives =
    [
      "verify TARGET --depth deep", "verify TARGET --depth contents --report xml=x",
      "verify TARGET --known 1:2:3", "verify TARGET --trusted-signer 00",
      "restore TARGET -p PASS --on-conflict maybe",
      "restore TARGET -p PASS --only keys", "restore TARGET --resume", "restore latest --discard-previous",
      "restore TARGET --item x", "diff", "diff TARGET", "export TARGET",
      "export TARGET -o NEW --format xls", "key remove TARGET",
    ].map(usage)
    + [
      "show NONE", "show 99 -t TARGET", "show 7c1e09ab -t TARGET", "drill NONE", "diff TARGET NONE",
      "repair NONE",
      "key list NONE", "key-shares check NONE", "restore NONE",
      "restore TARGET --wallet 00 PASSES --datadir NEW",
    ].map(missing)
    + [
      Mistake(words: "show FILE", status: 19, id: "not-an-archive"),
      Mistake(words: "restore FILE", status: 19, id: "not-an-archive"),
      Mistake(words: "export TARGET -o TARGET -p PASS", status: 40, id: "would-overwrite"),
      Mistake(words: "demo --keep TARGET", status: 40, id: "would-overwrite"),
    ]

  private static let others =
    ["guardians split", "guardians combine SHEET", "key trust zz"].map(usage)
}
