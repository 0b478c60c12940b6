/// The record schema of fueki-archive(5), a line for each message: `name=number:type`. Before the type, `*` is a repeated field,
/// `?` an optional one and `|` one of a oneof; `time` is a sint64 of microseconds, `packed` packed text, `path` the bytes of a
/// file's name.
const TEXT = `
Extra name=1:string integer=2:|sint64 real=3:|double text=4:|string blob=5:|bytes json=6:|string
Checkpoint height=1:uint64 hash=2:packed time=3:?time
KeychainIndex name=1:string last_revealed=2:?uint32 last_used=3:?uint32
Endpoint kind=1:string url=2:string priority=3:int32
Account index=1:uint32 path=2:string address=3:packed imported=4:bool name=5:string
Wallet id=1:packed name=2:string kind=3:string chain_family=4:string chain_id=5:string address=6:packed
  derivation_path=7:string descriptors=8:*string balance=9:?string birthday=10:?Checkpoint last_synced=11:?Checkpoint
  earlier_checkpoints=12:*Checkpoint keychains=13:*KeychainIndex gap_limit=14:?uint32 extra=15:*Extra endpoints=16:*Endpoint
  accounts=17:*Account nonce=18:?uint64 network=19:string genesis_hash=20:packed created_at=21:?time updated_at=22:?time
  group_public_key=23:bytes hazards=24:*string
Asset id=1:packed wallet_id=2:packed kind=3:string contract=4:packed symbol=5:string name=6:string decimals=7:?uint32
  balance=8:?string token_id=9:string first_seen_block=10:?uint64 created_at=11:?time updated_at=12:?time extra=15:*Extra
Transaction id=1:packed wallet_id=2:packed hash=3:packed from=4:packed to=5:packed amount=6:string fee=7:?string status=8:string
  timestamp=9:?time block_number=10:?uint64 nonce=11:?uint64 gas_price=12:?string gas_limit=13:?string data=14:?bytes
  extra=15:*Extra metadata=16:?string
Log address=1:packed topics=2:*packed data=3:packed index=4:?uint64
Receipt id=1:packed transaction_id=2:packed gas_used=3:?string logs=4:*Log success=5:?bool logs_json=6:?string extra=15:*Extra
Contact id=1:packed name=2:string address=3:packed chain_family=4:string chain_id=5:string notes=6:string created_at=7:?time
  updated_at=8:?time extra=15:*Extra
Setting key=1:string value=2:string updated_at=3:?time extra=15:*Extra
PartyPoint party_id=1:bytes point=2:bytes
KeyShareDescriptor id=1:bytes wallet_id=2:?packed protocol=3:string curve=4:string party_index=5:?uint32 threshold=6:?uint32
  total=7:?uint32 epoch=8:?uint64 group_public_key=9:bytes own_public_point=10:bytes party_id=11:bytes points=12:*PartyPoint
  encoding=13:string name=14:string extra=15:*Extra created_at=16:?time
KeyShare id=1:bytes sealed=2:bytes
PrivateKey id=1:bytes wallet_id=2:?packed kind=3:string name=4:string secret=5:bytes created_at=6:?time
Credential id=1:packed format=2:string credential=3:string c_nonce=4:?string c_nonce_expires_in=5:?int32 iss=6:?string
  iat=7:?sint64 exp=8:?sint64 type=9:?string access_token=10:?string credential_issuer_metadata=11:?string extra=15:*Extra
Claim key=1:string value=2:string purpose=3:?string
CredentialSharing id=1:packed platform=2:string rp=3:string account_index=4:?uint32 created_at=5:?time credential_id=6:string
  claims=7:*Claim rp_name=8:?string rp_location=9:?string rp_contact_url=10:?string privacy_policy_url=11:?string
  logo_url=12:?string extra=15:*Extra
IdTokenSharing id=1:packed platform=2:string rp=3:string account_index=4:?uint32 created_at=5:?time extra=15:*Extra
ChatUser id=1:packed name=2:string email=3:?string created_at=4:?time extra=15:*Extra
ChatThread id=1:packed owner_id=2:packed title=3:string co_author_ids=4:*packed created_at=5:?time updated_at=6:?time
  extra=15:*Extra
ChatMessage id=1:packed thread_id=2:packed author_id=3:?packed text=4:string citation_ids=5:*packed created_at=6:?time
  extra=15:*Extra
FilePart id=1:bytes source=2:string path=3:path offset=4:uint64 total=5:uint64 content=6:bytes modified_at=7:?time mode=8:?uint32
  format=9:string address=10:packed kdf=11:string extra=15:*Extra place=16:?path program=17:string program_version=18:string
SectionCount section=1:uint32 records=2:uint64
Exclusion what=1:string reason=2:string by_request=3:bool
SourceReport name=1:string included=2:*SectionCount excluded=3:*Exclusion complete=4:bool
RecordProblem section=1:uint32 id=2:bytes problem=3:string
UnknownColumn table=1:string column=2:string declared_type=3:string
Manifest profile_digest=1:bytes history_digest=2:bytes secrets_digest=3:bytes program=4:string schema=5:uint32 label=6:string
  device=7:string sources=8:*SourceReport share_checks=9:*string unknown_columns=10:*UnknownColumn problems=11:*RecordProblem
  includes_private_keys=12:bool padding=14:bytes extra=15:*Extra signers=16:*bytes
`;

const PRESENCE = { "*": "list", "?": "optional", "|": "choice" };

function parseField(text) {
  const [, name, number, mark, type] = text.match(/^(\w+)=(\d+):([*?|]?)(\w+)$/);
  return { name, number: Number(number), type, presence: PRESENCE[mark] ?? "always" };
}

/// Each message's fields in ascending number: `{ name, number, type, presence }`.
export const SCHEMA = new Map(
  TEXT.trim()
    .split(/\n(?! )/)
    .map((line) => {
      const [name, ...fields] = line.split(/\s+/);
      return [name, fields.map(parseField).sort((a, b) => a.number - b.number)];
    }),
);

/// The message of a section's records.
export const MESSAGES = {
  1: "Manifest",
  2: "Wallet",
  3: "Asset",
  4: "Contact",
  5: "Setting",
  6: "KeyShareDescriptor",
  7: "Credential",
  8: "FilePart",
  32: "Transaction",
  33: "Receipt",
  34: "CredentialSharing",
  35: "IdTokenSharing",
  36: "ChatUser",
  37: "ChatThread",
  38: "ChatMessage",
  64: "KeyShare",
  65: "PrivateKey",
  66: "FilePart",
};
