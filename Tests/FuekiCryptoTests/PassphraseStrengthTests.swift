import FuekiCrypto
import Testing

struct PassphraseStrengthTests {
  private static func strength(_ text: String, knowing names: [String] = []) throws -> PassphraseStrength {
    let typed = try SecretBytes(Array(text.utf8))
    return try Passphrase(normalising: typed).strength(knowing: names)
  }

  @Test(arguments: [
    "password1234", "qwertyuiop12", "Passw0rd!2024", "iloveyou2024", "a", "hunter2", "passwordpassword",
    "aaaaaaaaaaaaaaaaaaaa", "abcdefghijklmnop", "0987654321098", "123412341234", "1975-11-03",
    "ababababababcabab", "correct battery", "drowssap4321", "P@$$w0rd", "qwertyuiop12qwertyuiop12qwert",
    "x7!x7!x7!x7!x7!x7!x7!x7!",
  ])
  func `what people choose is weak`(text: String) throws {
    #expect(try Self.strength(text).grade == .weak)
  }

  @Test(arguments: ["1829374650192", "kingfisherharbour2024"])
  func `what lasts some days is doubtful`(text: String) throws {
    #expect(try Self.strength(text).grade == .doubtful)
  }

  @Test(arguments: [
    "correct horse battery staple", "Tr0ub4dor&3xyz!", "82039174650918273645", "Wörter, die niemand rät",
    "xkcd-1936-m7q", "съешь ещё этих булок",
  ])
  func `long and irregular ones are strong`(text: String) throws {
    #expect(try Self.strength(text).grade == .strong)
  }

  @Test func `grades change at 10^10 and 10^13 guesses`() {
    func grade(_ guesses: Double) -> PassphraseStrength.Grade { PassphraseStrength(guesses: guesses).grade }
    #expect(grade(9_999_999_999) == .weak && grade(1e10) == .doubtful)
    #expect(grade(9_999_999_999_999) == .doubtful && grade(1e13) == .strong)
  }

  @Test func `a guess at 256 MiB and 3 passes moves 2 GiB, and a card makes 2,200 a second`() {
    let cost = Argon2id.Cost(memoryKiB: 256 << 10, passes: 3)
    #expect(cost.bytesMoved == 2_147_483_648)
    #expect((GuessingMachine.guessesPerSecond(at: cost) / 100).rounded() == 22)
    let hours = PassphraseStrength(guesses: 1e10).seconds(at: cost) / 3600
    #expect((1.2...1.3).contains(hours))
    let days = PassphraseStrength(guesses: 1e13).seconds(at: cost) / 86_400
    #expect((51...53).contains(days))
    // One pass writes a block and reads another one.
    #expect(Argon2id.Cost(memoryKiB: 1, passes: 1).bytesMoved == 2048)
  }

  @Test(arguments: [
    "kvistgrund-solhoj", "Kvistgrund Solhøj 7", "kvi5tgrund99", "jøhlostsirG-ecilA", "node-17.kvistgrund",
  ])
  func `names that are known are no obstacle`(text: String) throws {
    let names = ["Alice Grîstsolhøj", "Kvistgrund & Solho\u{308}j", "node-17.example"]
    #expect(try Self.strength(text).grade != .weak)
    #expect(try Self.strength(text, knowing: names).grade == .weak)
  }

  @Test func `names of one or two letters say nothing`() throws {
    let text = "kx7 wq2 zd9 vb4"
    #expect(try Self.strength(text, knowing: ["kx", "w", "", "-", "\u{301}"]) == Self.strength(text))
  }

  @Test func `accents and other alphabets count a letter once`() throws {
    #expect(try Self.strength("Pässwörd1234") == Self.strength("Password1234"))
    #expect(try Self.strength("пароль1234").grade == .weak)
    #expect(try Self.strength("КОШЕЛЁК", knowing: ["Кошелёк"]).grade == .weak)
    #expect(try Self.strength("абвгдежзик").grade == .weak)
    #expect(try Self.strength("💡").guesses < 1000)
  }

  @Test func `of a long one the strongest part counts`() throws {
    #expect(try Self.strength(String(repeating: "a", count: 1024)).grade == .weak)
    #expect(try Self.strength(String(repeating: "password1234", count: 85)).grade == .weak)
    let weakStart = String(repeating: "a", count: 700) + "correct horse battery staple"
    #expect(try Self.strength(weakStart).grade == .strong)
    let random = String(repeating: "0123 abcd EFGH.:", count: 5) + "Tr0ub4dor&3xyz!"
    #expect(try Self.strength(random + random).guesses.isFinite)
  }

  @Test func `an estimate leaves a passphrase as it was`() throws {
    let typed = try SecretBytes(Array("Wörter, die niemand rät".utf8))
    let passphrase = try Passphrase(normalising: typed)
    let first = try passphrase.strength(knowing: ["niemand"])
    let second = try passphrase.strength(knowing: ["niemand"])
    #expect(first == second)
    #expect(passphrase.bytes.exposed() == typed.exposed())
  }
}
