internal import FuekiSystem

/// Places whose files are executed or obeyed automatically.
///
/// Restores never write there.
///
/// Such a list is never complete, so ``HomeGate`` opens program directories of the home to wallets only. This list has
/// the places that also stay closed below any other folder, and those that belong to no wallet although they are next
/// to wallets.
enum StartupPlaces {
  /// Returns whether a path below any user's home directory is one.
  static func contains(_ names: [[UInt8]]) -> Bool {
    let lower = names.map { String(decoding: $0, as: UTF8.self).lowercased() }
    if lower.contains(where: { anywhere.contains($0) }) { return true }
    if let last = lower.last,
      endings.contains(where: { last.utf8.reversed().starts(with: $0.utf8.reversed()) })
    {
      return true
    }
    guard let first = lower.first else { return false }
    if beginnings.contains(where: { first.utf8.starts(with: $0.utf8) }) { return true }
    if lower.count == 1, files.contains(first) { return true }
    let path = lower.joined(separator: "/").pathBytes
    return folders.contains { isAt(path, $0) }
  }

  /// Whether names below a folder lead to such a place of this person's home, or of the system.
  ///
  /// - Parameters:
  ///   - folder: from the root, without links.
  ///   - names: below it.
  /// - Returns: false for a place of another person's.
  static func isBelowHome(_ folder: String, _ names: [[UInt8]]) -> Bool {
    let path = path(folder, names)
    if system.contains(where: { isAt(path, $0) }) { return true }
    if let home, let below = below(home, path), contains(below) { return true }
    // The places that the user's programs use instead, according to environment variables.
    return moved.contains { variable, meant in
      guard let place = Environment.get(variable), place.hasPrefix("/"),
        let below = below(CurrentProcess.absolutePath(of: place), path)
      else { return false }
      return contains(meant.split(separator: "/").map { Array($0.utf8) } + below)
    }
  }

  /// The user's home directory, without links.
  static var home: String? { Environment.get("HOME").map { CurrentProcess.absolutePath(of: $0) } }

  /// The path of names below a folder.
  static func path(_ folder: String, _ names: [[UInt8]]) -> [UInt8] {
    (folder == "/" ? "" : folder).pathBytes + names.flatMap { [UInt8(ascii: "/")] + $0 }
  }

  /// Returns the names of a path below a folder; nil if it is elsewhere.
  static func below(_ folder: String, _ path: [UInt8]) -> [[UInt8]]? {
    let start = folder.pathBytes + [UInt8(ascii: "/")]
    guard path.starts(with: start) else { return nil }
    return path.dropFirst(start.count).split(separator: UInt8(ascii: "/")).map(Array.init)
  }

  /// Whether a path is a place or below it, by bytes: a mark at the beginning of a name joins the slash before it, and
  /// a text's prefix then ends elsewhere.
  private static func isAt(_ path: [UInt8], _ place: String) -> Bool {
    path.elementsEqual(place.utf8) || path.starts(with: "\(place)/".utf8)
  }

  private static let moved = [
    ("XDG_CONFIG_HOME", ".config"), ("XDG_DATA_HOME", ".local/share"), ("XDG_STATE_HOME", ".local/state"),
    ("ZDOTDIR", ".zsh"), ("GNUPGHOME", ".gnupg"), ("FUEKI_STATE", ".local/state/fueki-backup"),
    ("FUEKI_DATADIR", ".local/share/fueki"),
  ]

  private static let system = [
    "/bin", "/boot", "/etc", "/lib", "/lib32", "/lib64", "/sbin", "/usr/bin", "/usr/lib", "/usr/libexec",
    "/usr/local/bin", "/usr/local/lib", "/usr/local/sbin", "/usr/sbin", "/usr/share", "/var/lib/cloud",
    "/var/spool/cron",
  ]

  /// Names that are dangerous below any folder.
  private static let anywhere: Set<String> = [
    ".git", ".hg", ".ssh", ".direnv", "authorized_keys", ".envrc", "autostart", "autostart.sh", "cli-plugins",
    "crontabs", "cron.d", "external extensions", "native-messaging-hosts", "nativemessaginghosts", "prefs.js",
    "sitecustomize.py", "user-tmpfiles.d", "user.js", "usercustomize.py",
    // Nodes start the commands that these name.
    "bitcoin.conf", "bitcoin_rw.conf", "bitmonero.conf", "dash.conf", "dogecoin.conf", "litecoin.conf",
    "monero-wallet-rpc.conf", "monerod.conf", "zcash.conf",
  ]

  /// Endings of names that desktops and programs start.
  private static let endings = [".desktop", ".appimage", ".service", ".timer"]

  /// The beginnings of such a place's first name: shells read folders with such names, too.
  private static let beginnings = [
    ".bash", ".fvwm", ".mutt", ".oh-my-", ".profile", ".qmail", ".xinit", ".xprofile", ".xresources",
    ".xserver", ".xsession", ".zcomp", ".zlog", ".zprofile", ".zsh",
  ]

  private static let files: Set<String> = [
    ".ansible.cfg", ".asoundrc", ".crontab", ".cshrc", ".curlrc", ".dmrc", ".emacs", ".exrc", ".fetchmailrc",
    ".forward", ".fzf.bash", ".fzf.zsh", ".gdbinit", ".gemrc", ".gitconfig", ".google_authenticator",
    ".gtkrc-2.0", ".gvimrc", ".hgrc",
    ".inputrc", ".irbrc", ".k5login", ".kshrc", ".lessfilter", ".lesskey", ".lldbinit", ".login", ".logout",
    ".mailcap", ".mailfilter", ".mbsyncrc", ".mkshrc", ".msmtprc", ".my.cnf", ".nanorc", ".netrc", ".npmrc",
    ".offlineimaprc", ".pam_environment", ".pdbrc", ".procmailrc", ".pryrc", ".psqlrc", ".pythonrc",
    ".pythonstartup", ".rhosts", ".rprofile", ".renviron", ".screenrc", ".selected_editor", ".shosts",
    ".spacemacs", ".sqliterc", ".tcshrc", ".terraformrc", ".tmux.conf", ".vimrc", ".wezterm.lua", ".wgetrc",
    ".xbindkeysrc", ".xonshrc", ".yarnrc", ".yarnrc.yml",
  ]

  private static let folders = [
    // Programs, and the libraries and plugins that others load.
    ".asdf", "bin", ".bin", ".bun", ".cargo", ".config/gimp", ".deno", ".foundry/bin", "go", ".nvm",
    ".sdkman",
    ".local/share/solana", ".config/opencl", ".config/pkcs11", ".config/vulkan", ".gem", ".gstreamer-0.10",
    ".ladspa", ".local/bin", ".local/lib", ".local/share/gstreamer-1.0", ".local/share/vulkan", ".lv2",
    ".pki", ".pyenv", ".rbenv", ".rustup", ".vst", ".vst3",
    // Shells, terminals and editors.
    ".byobu", ".config/alacritty", ".config/code", ".config/doom", ".config/elvish", ".config/emacs",
    ".config/code - oss", ".config/fish", ".config/foot", ".config/konsolerc",
    ".local/share/konsole",
    ".local/share/nvim", ".weechat", ".config/weechat", ".config/ghostty", ".config/helix", ".config/kitty",
    ".config/micro",
    ".config/nano", ".config/nushell", ".config/nvim", ".config/sublime-text", ".config/terminator",
    ".config/tmux", ".config/vim", ".config/vscodium", ".config/wezterm", ".config/xonsh", ".config/zsh",
    ".doom.d", ".elvish", ".emacs.d", ".local/share/bash-completion", ".local/share/fish", ".tmux", ".vim",
    ".vscode", ".vscode-oss", ".vscode-server",
    // Desktops, and what they start.
    ".config/autostart-scripts", ".config/awesome", ".config/bspwm", ".config/caja", ".config/dconf",
    ".config/gtk-3.0", ".config/gtk-4.0", ".config/herbstluftwm", ".config/hypr", ".config/i3",
    ".config/khotkeysrc", ".config/kglobalshortcutsrc", ".config/labwc", ".config/leftwm",
    ".config/lxsession", ".config/mimeapps.list", ".config/niri", ".config/openbox",
    ".config/plasma-workspace", ".config/pipewire", ".config/pulse", ".config/qtile", ".config/river",
    ".config/spectrwm", ".config/sway", ".config/sxhkd", ".config/user-dirs.dirs", ".config/uwsm",
    ".config/wayfire.ini", ".config/weston.ini", ".config/wireplumber", ".config/xfce4", ".config/xmonad",
    ".config/polybar", ".config/waybar", ".local/share/nautilus-python", ".local/share/nemo-python",
    ".dwm", ".fluxbox", ".gnome2", ".i3", ".icewm", ".kde", ".kde4", ".local/share/applications",
    ".local/share/caja", ".local/share/cinnamon", ".local/share/dbus-1", ".local/share/file-manager",
    ".local/share/flatpak", ".local/share/gnome-shell", ".local/share/kio", ".local/share/kpackage",
    ".local/share/krunner", ".local/share/kservices5", ".local/share/kwin", ".local/share/nautilus",
    ".local/share/nemo", ".local/share/plasma", ".local/share/thumbnailers", ".sway", ".xmonad",
    // Services and log-in.
    ".config/containers", ".config/environment.d", ".config/systemd", ".config/upstart", ".config/yubico",
    ".gnupg", ".local/share/containers/systemd", ".local/share/systemd", ".yubico",
    // Tools that run what their configuration says.
    ".config/rclone", ".lightning/config", ".lightning/plugins", ".ansible", ".aws", ".bundle",
    ".config/direnv", ".config/gdb", ".config/git", ".config/hg",
    ".config/isyncrc", ".config/mpv", ".config/mutt", ".config/neomutt", ".config/pip", ".config/pypoetry",
    ".config/yarn", ".docker", ".gradle", ".ipython", ".julia", ".jupyter", ".kube", ".m2", ".pip",
    ".terraform.d",
    // This program's own.
    ".config/fueki-backup", ".local/share/fueki", ".local/state/fueki-backup",
  ]
}
