import FoundationEssentials
import FuekiWallet
import SwiftProtobuf

/// Edge-case records that a store must return byte for byte.
struct AwkwardRecords {
  var wallets: [Wallet] = []
  var assets: [Asset] = []
  var contacts: [Contact] = []
  var settings: [Setting] = []
  var credentials: [Credential] = []
  var files: [FilePart] = []
  var transactions: [Transaction] = []
  var receipts: [Receipt] = []
  var sharings: [CredentialSharing] = []
  var tokens: [IdTokenSharing] = []
  var users: [ChatUser] = []
  var threads: [ChatThread] = []
  var messages: [ChatMessage] = []

  init() {
    fillWallets()
    fillProfile()
    fillHistory()
    fillConversations()
  }

  private mutating func fillWallets() {
    var full = Samples.wallet(1)
    full.descriptors = ["wpkh([d34db33f/84h/0h/0h]xpub/0/*)#abcdefgh", ""]
    full.birthday.height = 12
    full.birthday.hash = Samples.hash(5)
    full.lastSynced.height = .max
    full.lastSynced.time = -1
    full.earlierCheckpoints = [full.birthday, Checkpoint()]
    full.keychains = [
      .with {
        $0.name = "external"; $0.lastRevealed = 45; $0.lastUsed = 0
      }
    ]
    full.gapLimit = 0
    full.endpoints = [
      .with {
        $0.kind = "esplora"; $0.url = "http://127.0.0.1/"; $0.priority = -3
      }
    ]
    full.accounts = [
      .with {
        $0.index = 3; $0.path = "m/1"; $0.address = Samples.address(9); $0.imported = true
      }
    ]
    full.nonce = .max
    full.network = "mainnet"
    full.genesisHash = Samples.hash(0)
    full.createdAt = .min
    full.updatedAt = .max
    full.groupPublicKey = Data(repeating: 3, count: 33)
    full.hazards = ["lightning", "ark"]
    full.balance = String(repeating: "9", count: 78)
    full.extra = [
      .with {
        $0.name = "deep"; $0.json = #"{"a": [1.0, 1e400]}"#
      },
      .with {
        $0.name = "blob"; $0.blob = Data([0, 1])
      },
    ]
    var empty = Wallet()
    empty.id = Samples.id(2)
    empty.balance = ""
    var unknown = Samples.wallet(3)
    // Fields 100 and 2047, which no version has yet.
    try? unknown.merge(serializedBytes: [0xA0, 0x06, 0x05, 0xFA, 0x7F, 0x02, 0x61, 0x62] as [UInt8])
    wallets = [full, empty, unknown, Wallet()]
    assets = [
      .with {
        $0.id = Samples.id(7); $0.walletID = Samples.id(1); $0.kind = "erc20"; $0.decimals = 0;
        $0.balance = "0"
        $0.tokenID = "12"; $0.firstSeenBlock = 0; $0.contract = Samples.address(3)
      },
      // A wallet id that no record has.
      .with {
        $0.id = Samples.id(8); $0.walletID = Samples.id(99); $0.symbol = "X"
      }, Asset(),
    ]
  }

  private mutating func fillProfile() {
    contacts = [
      // Two names that look equal, composed and decomposed, then one with an embedded NUL.
      .with {
        $0.id = Samples.id(1); $0.name = "caf\u{E9}"
      },
      .with {
        $0.id = Samples.id(2); $0.name = "cafe\u{301}"
      },
      .with {
        $0.id = Samples.id(3); $0.name = "a\0b"; $0.notes = "\0"; $0.createdAt = -86_400_000_000
      },
    ]
    settings = [
      .with {
        $0.key = "theme"; $0.value = #"{"dark":true}"#
      },
      .with {
        $0.key = "é\0"; $0.value = ""
      }, Setting(),
    ]
    credentials = [
      .with {
        $0.id = Samples.id(1); $0.format = "vc+sd-jwt"; $0.credential = "e30."; $0.cNonce = ""
        $0.cNonceExpiresIn = -1; $0.iat = -5; $0.exp = 0; $0.accessToken = "t"
      }
    ]
    files = [
      .with {
        $0.id = Data(repeating: 9, count: 16); $0.source = "keystore"; $0.path = Data([0xFF, 0x2F]);
        $0.total = 3
        $0.content = Data([1, 2]); $0.mode = 0o600; $0.modifiedAt = 1
        $0.place = Data([0x7E, 0x2F, 0xFF]); $0.program = "electrum"; $0.programVersion = "4.5.8"
      },
      .with {
        $0.id = Data(repeating: 9, count: 16); $0.path = Data([0xFF, 0x2F]); $0.offset = 2; $0.total = 3
        $0.content = Data([3]); $0.place = Data()
      },
    ]
  }

  private mutating func fillHistory() {
    var odd = Samples.transaction(2, wallet: 1)
    odd.amount = String(repeating: "1", count: 78)
    odd.fee = ""
    odd.timestamp = -62_135_596_800_000_000
    odd.blockNumber = .max
    odd.nonce = 0
    odd.gasPrice = "0.000000001"
    odd.gasLimit = ""
    odd.data = Data()
    odd.metadata = String(repeating: "memo \u{1F4B8}", count: 1 << 17)
    odd.status = "it's \"odd\""
    odd.extra = [
      .with {
        $0.name = "n"; $0.json = "null"
      }
    ]
    var orphaned = Samples.transaction(3, wallet: 77)
    orphaned.from = Data("\u{0}not an address".utf8)
    transactions = [
      Samples.transaction(1, wallet: 1), odd, orphaned, Transaction(), Samples.transaction(5, wallet: 2),
    ]

    var bare = Receipt()
    bare.transactionID = Samples.transaction(5, wallet: 2).id
    bare.success = false
    bare.logsJson = "[]"
    var second = Samples.receipt(1)
    second.id = Samples.id(44)
    receipts = [Samples.receipt(1), Samples.receipt(3), bare, second, Samples.receipt(4000), Receipt()]
    sharings = [
      .with {
        $0.id = Samples.id(1); $0.platform = "ios"; $0.rp = "https://rp.example"; $0.accountIndex = 0
        $0.claims = [
          .with {
            $0.key = "k"; $0.value = ""; $0.purpose = ""
          }, Claim(),
        ]; $0.logoURL = ""
      }
    ]
    tokens = [
      .with {
        $0.id = Samples.id(1); $0.rp = "rp"; $0.createdAt = 0
      }
    ]
  }

  private mutating func fillConversations() {
    users = [
      .with {
        $0.id = Samples.id(1); $0.name = "花子"; $0.email = ""
      }, .with { $0.id = Samples.id(2) },
    ]
    threads = [
      .with {
        $0.id = Samples.id(1); $0.ownerID = Samples.id(1); $0.title = "送金"; $0.updatedAt = 5
        $0.coAuthorIds = [Samples.id(2), Samples.id(55), Samples.id(2)]
      },
      .with {
        $0.id = Samples.id(2); $0.ownerID = Samples.id(66)
      },
    ]
    messages = [
      .with {
        $0.id = Samples.id(1); $0.threadID = Samples.id(1); $0.authorID = Samples.id(2);
        $0.text = "100% sure_"
      },
      .with {
        $0.id = Samples.id(2); $0.threadID = Samples.id(1); $0.text = "Did you pay?"
        $0.citationIds = [Samples.id(1), Samples.id(77)]
      },
      .with {
        $0.id = Samples.id(3); $0.threadID = Samples.id(88); $0.authorID = Data()
      },
    ]
  }
}
