import FuekiSystem
import TestSupport
import Testing
import fueki_backup

/// Paths in commands that people paste into a shell.
struct ShellWordTests {
  @Test(arguments: [
    Array("/plain/path-1.fueki".utf8), Array("two words, 'quoted' \"so\" $HOME `x` \\ !".utf8), [],
    Array("/home/jos".utf8) + [0xE9], Array("caf".utf8) + [0xE9] + Array("'s 1f\\ $x".utf8),
    Array("new\nline\ttab \u{1B}[1m\u{202E}".utf8), [0x7F, 0x01, 0x31],
    Array("Kl\u{E9} Kle\u{301} \u{212A}".utf8), Array("a\u{10FEE9}b".utf8),
  ])
  func `a shell takes the word as the bytes that it is made of`(_ bytes: [UInt8]) throws {
    let word = ShellWord.quoted(PathText.text(bytes))
    #expect(word.unicodeScalars.allSatisfy { $0.value >= 0x20 && $0.value != 0x7F })
    let run = try BuiltBinary.run(program: "/bin/bash", ["-c", "printf %s \(word)"])
    #expect(run.status == 0 && run.output == bytes, "\(word) \(run.errors)")
  }
}
