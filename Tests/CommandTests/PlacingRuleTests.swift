import FuekiSystem
import TestSupport
import Testing

/// Places where an archive's files never go, however they got into it, and whatever is on the way.
struct PlacingRuleTests {
  /// A machine with an archive that is its own, and another home to put its files into.
  private struct Homes {
    let machine: Machine
    var other: [String: String]

    init(_ names: [String], _ content: (String) -> [UInt8] = { Array($0.utf8) }) throws {
      machine = try Machine(isPrepared: false)
      try Directory.makePrivateDirectories(machine.path("new-home"))
      other = ["HOME": machine.path("new-home")]
      for name in names { try machine.write(content(name), to: "home/\(name)") }
      guard !names.isEmpty else { return }
      try machine.run(
        ["create", "--target", machine.target, "--accept=synced-keys", "--from", "file:~/"]
          + machine.archiveSecret + Machine.quick, status: 0)
    }

    func putBack(_ more: [String] = [], through: [String] = []) throws -> RunResult {
      try machine.run(
        ["put-back", "--target", machine.target] + machine.archiveSecret + more, through: through,
        environment: other)
    }

    /// The files that are there now.
    func files(in name: String = "new-home") throws -> [String] {
      var files: [String] = []
      try machine.visit(name) { path, entry in
        if entry.kind == .file { files.append(String(path.dropFirst(name.count + 1))) }
      }
      return files.sorted()
    }
  }

  private static let startup = [
    ".bashrc.d/00", ".profile.d/a.sh", ".zsh/a", ".xsessionrc", ".config/lxsession/LXDE/autostart",
    ".config/xfce4/xinitrc", ".i3/config", ".local/share/kio/servicemenus/a.desktop",
    ".local/share/thumbnailers/a.thumbnailer", ".local/share/vulkan/implicit_layer.d/a.json",
    ".config/pkcs11/modules/a.module", ".pki/nssdb/pkcs11.txt", ".config/Yubico/u2f_keys",
    ".google_authenticator",
    ".qmail-default", ".mailcap", ".lessfilter", ".selected_editor", ".config/user-dirs.dirs",
    ".docker/config.json",
    ".kube/config", ".aws/config", ".ipython/profile_default/startup/a.py", ".config/emacs/init.el",
    ".mozilla/firefox/a/user.js", ".config/google-chrome/External Extensions/a.json", ".config/dconf/user",
    ".zprofile", ".zlogin", ".zcompdump", ".nvm/nvm.sh", ".fzf.bash", ".asdf/asdf.sh",
    ".sdkman/bin/sdkman-init.sh", ".deno/env", ".foundry/bin/forge",
    ".local/share/solana/install/active_release/bin/solana", "go/bin/tool",
    ".local/share/nautilus-python/extensions/a.py", ".local/share/nemo-python/extensions/a.py",
    ".local/share/nvim/site/plugin/a.lua", ".local/share/konsole/Shell.profile", ".config/konsolerc",
    ".config/user-tmpfiles.d/a.conf", ".config/GIMP/2.10/plug-ins/a/a", ".config/waybar/config",
    ".config/polybar/config.ini", ".config/Code - OSS/User/settings.json", ".config/rclone/rclone.conf",
    ".mozilla/firefox/a/prefs.js", ".lightning/plugins/evil.sh", ".lightning/config",
    ".bitcoin/bitcoin.conf", ".bitcoin/testnet3/bitcoin_rw.conf", ".bitmonero/bitmonero.conf",
    ".weechat/python/autoload/a.py", "Desktop/evil.desktop", "anywhere/a.AppImage",
    ".local/share/fueki/wallet.txt", "work/.hg/hgrc", "work/.git/hooks/post-commit", ".SSH/authorized_keys",
  ]
  private static let wallets = [
    ".bitcoin/wallet.dat", ".config/solana/id.json", ".local/share/lodestar/mainnet/secrets/0xab",
    "Documents/seed.txt",
    ".var/app/org.electrum.electrum/.electrum/wallets/mine",
    ".mozilla/firefox/a/storage/default/moz-extension+++a/idb",
  ]

  @Test func `what is run or obeyed by itself is put nowhere, and wallets beside it are`() throws {
    let homes = try Homes(Self.startup + Self.wallets)
    let run = try homes.putBack(["--json"]).expect(3)
    #expect(try homes.files() == Self.wallets.sorted())
    let waits = try run.json()["files"]?.elements.filter { $0["reason"] == .string("startup") }
    #expect(waits?.count == Self.startup.count)
    try homes.putBack(["--files", homes.machine.path("below")]).expect(3)
    #expect(try homes.files(in: "below") == Self.wallets.sorted())
  }

  /// No list of places that run files has these.
  private static let unlisted = [
    ".newshellrc", ".config/newtool/hooks.d/a", ".local/share/newtool/plugin.wasm", ".newtool/a.json",
    ".bitcoin/settings.json", ".bitcoin/includes.conf", ".lightning/bitcoin/config", ".electrum/config",
    ".config/solana/cli/config.yml", ".lnd/lnd.conf", ".sparrow/config", ".liana/bitcoin/daemon.toml",
    ".local/share/teku/validator/teku.yaml", "snap/tool/current/.profile2", "Library/LaunchAgents/a.plist",
    "perl5/lib/a", "Documents/run.sh", "Documents/.hidden/a", "keys/notify.py",
  ]

  @Test func `of the places that belong to programs only those of wallets get files`() throws {
    let homes = try Homes(Self.unlisted + Self.wallets)
    let run = try homes.putBack(["--json"]).expect(3)
    #expect(try homes.files() == Self.wallets.sorted())
    let reasons = try run.json()["files"]?.elements.compactMap { $0["reason"]?.text }
    let own = ["Documents/run.sh", "keys/notify.py"]
    #expect(reasons?.filter { $0 == "not-for-wallets" }.count == Self.unlisted.count - own.count)
    #expect(reasons?.filter { $0 == "own-files" }.count == own.count)
    let told = try homes.putBack()
    #expect(told.text.contains("--files DIR puts it below a folder"), "\(told.text)")
    // The home under another name, and a hidden folder in it, are no folder of one's own.
    let home = homes.machine.path("new-home")
    for folder in [home, "\(home)/.config"] {
      #expect(try homes.putBack(["--files", folder]).status == 3)
    }
    #expect(try homes.files().filter { !$0.hasPrefix(".config/Documents") } == Self.wallets.sorted())
    // A folder of one's own takes them, in the home too.
    try homes.putBack(["--files", "\(home)/found"]).expect(0)
    #expect(try homes.files(in: "new-home/found") == (Self.unlisted + Self.wallets).sorted())
  }

  @Test func `a folder that was named is one of those, too, however it is named`() throws {
    var homes = try Homes(["a.conf"])
    let home = homes.machine.path("new-home")
    try Directory.makePrivateDirectories("\(home)/.config")
    _ = try BuiltBinary.run(program: "/bin/ln", ["-s", home, homes.machine.path("alias")])
    for folder in ["\(home)/.config/autostart", "\(homes.machine.path("alias"))/.config/autostart"] {
      let run = try homes.putBack(["--files", folder])
      #expect(run.status == 3, "\(folder): \(run.errors)\(run.text)")
    }
    // By a path that is not from the root.
    let script = #"cd "$HOME/.config" && exec "$@""#
    try homes.putBack(["--files", "autostart"], through: ["/bin/sh", "-c", script, "sh"]).expect(3)
    // Where another folder holds a person's configuration.
    try Directory.makePrivateDirectories("\(home)/settings")
    homes.other["XDG_CONFIG_HOME"] = "\(home)/settings"
    try homes.putBack(["--files", "\(home)/settings/systemd"]).expect(3)
    #expect(try homes.files().isEmpty)
  }

  @Test func `a link that is followed does not lead there either`() throws {
    let homes = try Homes(["keys/id_ed25519"])
    let home = homes.machine.path("new-home")
    try Directory.makePrivateDirectories("\(home)/.ssh")
    _ = try BuiltBinary.run(program: "/bin/ln", ["-s", ".ssh", "\(home)/keys"])
    let run = try homes.putBack(["--accept=links"])
    #expect(run.status == 40 && run.errors.contains("is a link to \(home)/.ssh"), "\(run.errors)")
    #expect(try homes.files().isEmpty)
  }

  @Test(.enabled(if: CurrentUser.identifier == 0, "on this machine the tests have no other person's folder"))
  func `a folder of another person's within the home is not gone into`() throws {
    let homes = try Homes(["shared/key.dat", "fine.dat"])
    try Directory.makePrivateDirectories(homes.machine.path("new-home/shared"))
    _ = try BuiltBinary.run(program: "/bin/chown", ["12345", homes.machine.path("new-home/shared")])
    let run = try homes.putBack()
    #expect(run.status == 40 && run.errors.contains("another person's folder"), "\(run.errors)")
    #expect(try homes.files() == ["fine.dat"])
  }

  @Test func `a folder that other users can write to is refused, on the way and as the first one`() throws {
    let homes = try Homes(["shared/key.dat", "fine.dat"])
    try Directory.makePrivateDirectories(homes.machine.path("new-home/shared"))
    func change(_ mode: String, _ name: String) throws {
      try BuiltBinary.run(program: "/bin/chmod", [mode, homes.machine.path(name)]).expect(0)
    }
    for mode in ["0702", "0722", "1777"] {
      try change(mode, "new-home/shared")
      let run = try homes.putBack()
      #expect(run.status == 40 && run.errors.contains("other users can write to"), "\(mode): \(run.errors)")
      #expect(try homes.files() == ["fine.dat"])
    }
    try change("0700", "new-home/shared")
    try change("0707", "new-home")
    let root = try homes.putBack()
    #expect(root.status == 1 && root.errors.contains("chmod go-w"), "\(root.errors)")
    #expect(try homes.files() == ["fine.dat"])
    try change("0755", "new-home")
    #expect(try homes.putBack().status == 0)
  }

  @Test func `a person's own files stay, though their names look like this program's`() throws {
    let homes = try Homes([".lnd/data/graph/mainnet/channel.db"])
    let folder = "new-home/.lnd/data/graph/mainnet"
    try Directory.makePrivateDirectories(homes.machine.path(folder))
    let own = [
      "channel.db.fueki-hold.txt", "channel.db.fueki-hold-3.txt", ".fueki-mine.part",
      ".fueki-0123456789abcdef-1.part", ".channel.db.fueki-hold.txt.1.tmp",
    ]
    for name in own { try homes.machine.write("my own \(name)", to: "\(folder)/\(name)") }
    for _ in 1...2 {
      try homes.putBack().expect(0)
      for name in own {
        #expect(try homes.machine.read("\(folder)/\(name)") == Array("my own \(name)".utf8))
      }
      let page = try homes.machine.read("\(folder)/channel.db.fueki-hold-2.txt")
      #expect(String(decoding: page, as: UTF8.self).contains("holds Lightning channels"))
      #expect(try homes.machine.names(in: folder).count == own.count + 2)
    }
  }

  @Test func `no file that is put back can be run`() throws {
    let names = ["tool.dat", "programs/tool", ".electrum/wallets/one"]
    let homes = try Homes([])
    for name in names {
      try homes.machine.write("#!/bin/sh", to: "home/\(name)", permissions: 0o755)
    }
    try homes.machine.run(
      ["create", "--target", homes.machine.target, "--accept=synced-keys", "--from", "file:~/"]
        + homes.machine.archiveSecret + Machine.quick, status: 0)
    for more in [[], ["--files", homes.machine.path("folder")]] {
      try homes.putBack(more).expect(0)
      let root = more.last ?? homes.machine.path("new-home")
      for name in names { #expect(try File.open("\(root)/\(name)").status().permissions & 0o111 == 0) }
    }
  }

  @Test func `a program that works behind a link is seen`() throws {
    let homes = try Homes([".electrum/wallets/one"])
    let machine = homes.machine
    try Directory.makePrivateDirectories(machine.path("new-home/.electrum"))
    try machine.write("open", to: "disk/other")
    _ = try BuiltBinary.run(
      program: "/bin/ln", ["-s", machine.path("disk"), machine.path("new-home/.electrum/wallets")])
    let script = #"sleep 60 9<"$HOME/.electrum/wallets/other" & p=$!; "$@"; s=$?; kill $p; exit $s"#
    let run = try homes.putBack(["--accept=links"], through: ["/bin/sh", "-c", script, "sh"])
    #expect(run.status == 11 && run.errors.contains("sleep (process "), "\(run.errors)")
    #expect(!machine.exists("disk/one"))
  }

  @Test func `validators' keys and records of other clients go beside their places`() throws {
    let held = [
      ".eth2validators/direct/accounts/all-accounts.keystore.json", ".eth2validators/direct/validator.db",
      "teku/validators/slashprotection/0xab.yml", ".lnd/data/graph/mainnet/channel.sqlite",
    ]
    let homes = try Homes(held)
    try homes.putBack().expect(0)
    #expect(
      try homes.files() == held.flatMap { ["\($0).fueki-hold", "\($0).fueki-hold.txt"] }.sorted())
  }

  @Test func `a file where the archive has a folder too is of another moment: the newer goes back`() throws {
    let machine = try Machine()
    try Directory.makePrivateDirectories(machine.path("new-home"))
    try machine.write(ImportedFiles.keystore, to: "home/keys")
    _ = try BuiltBinary.run(
      program: "/usr/bin/touch", ["-d", "2021-02-03 04:05:06", machine.path("home/keys")])
    try machine.run(["import", machine.path("home/keys")] + machine.keychainSecret, status: 0)
    try machine.remove("home/keys")
    try machine.write("newer", to: "home/keys/one")
    let made = try machine.create([
      "--accept=synced-keys", "--from", "store", "--from", "file:~/keys",
    ])
    try #require(made.status == 0, "\(made.errors)")
    let run = try machine.run(
      ["put-back", "--target", machine.target, "--json"] + machine.archiveSecret,
      environment: ["HOME": machine.path("new-home")], status: 0)
    let reasons = try run.json()["files"]?.elements.compactMap { $0["reason"]?.text }
    #expect(reasons == ["superseded"])
    #expect(try machine.read("new-home/keys/one") == Array("newer".utf8))
  }
}
