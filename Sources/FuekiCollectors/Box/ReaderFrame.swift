/// The kinds of messages between this program and a reader of its own.
enum ReaderFrame: UInt8 {
  // From the reader: what it found.
  case ready = 1
  case record
  case share
  case shareSecret
  case privateKey
  case secretFile
  case file
  case finding
  case problem
  case exclusion
  case end
  case failure
  case stalled
  // From the reader: what it asks for.
  case askPassphrase = 32
  case askCopy
  case askNeedsCopy
  case askFile
  // To the reader.
  case request = 64
  case no
  case yes
  case secret
  case copy
  case damaged
  case refused
  case copyDatabase
}
