"""Slots for age's plugins: type 7."""

from samples import FORGED, LIMIT, READER, SMALL, age_identity, bad, bech32, draw, flip, plan, salted, vectors
from writer import Archive, Slot, plugin_slot, stanza, u16

WRONG = "wrong secret"
# It names the plugin; the key that it leads to is nobody's here.
IDENTITY = bech32("age-plugin-vector-", draw("a plugin's identity", 20)).upper()


def given(*keys):
    """A reader that has a plugin's identity, and what the plugin gives for each slot of type 7."""
    return {"plugin": {"identity": IDENTITY, "file_keys": [key and key.hex() for key in keys]}}


def example(label):
    return [stanza(["vector", "AAAA", label.replace(" ", "-")], draw("stanza " + label, 32))]


def plugins():
    key, other = draw("file key", 16), draw("another file key", 16)
    slot = plugin_slot(3, example("one"), key)
    vectors.whole(
        "plugin",
        "A plugin's slot for profile and history, and a passphrase; the plugin gives the file key.",
        Archive(plan("plugin", [salted("plugin"), slot], **SMALL)),
        reader=given(key),
        scopes=(1, 2),
    )
    wrong = {"verdict": WRONG, "depth": "open"}

    def same(name, description, reader, **facts):
        vectors.same(f"plugin-{name}", description, "plugin", reader=reader, **facts)

    same("passphrase", "The same, with the passphrase alone: no plugin is run.", READER)
    same("and-passphrase", "The same, with the passphrase too.", given(key) | READER)
    same("silent-and-passphrase", "The plugin gives nothing, and the passphrase opens.", given(None) | READER)
    same("silent", "The plugin gives no key.", given(None), **wrong)
    same("other-key", "The plugin gives another key.", given(other), **wrong)
    same("short-key", "The plugin gives 15 bytes of the key.", given(key[:15]), **wrong)
    same("long-key", "The plugin gives the key and a byte more.", given(key + b"\0"), **wrong)
    same("x25519", "An X25519 identity opens no plugin's slot.", {"identities": [age_identity(draw("x", 32))]}, **wrong)

    keys = [draw(f"file key {i}", 16) for i in range(9)]
    slots = [plugin_slot(1 << i % 3, example(f"of nine {i}"), keys[i]) for i in range(9)]
    vectors.whole(
        "plugin-eight",
        "Eight plugin's slots, of which the plugin opens the third and the last, for different scopes.",
        Archive(plan("plugin eight", [*slots[:8], salted("plugin eight")], **SMALL)),
        reader=given(None, None, keys[2], None, None, None, None, keys[7]),
        scopes=(2, 3),
    )
    vectors.whole(
        "plugin-nine",
        "Nine plugin's slots, and a passphrase alone.",
        Archive(plan("plugin nine", [*slots, salted("plugin nine")], **SMALL)),
        reader=READER,
    )
    vectors.same(
        "plugin-nine-tried",
        "Nine plugin's slots, and an identity of a plugin's.",
        "plugin-nine",
        reader=given(keys[0]),
        verdict=LIMIT,
        depth="open",
    )
    long = stanza(["!" * 2048] + ["~"] * 15, b"")
    largest = [long, stanza(["max"], bytes(4096)), stanza(["max"], bytes(4096))]
    rest = 16384 - 1 - sum(map(len, largest)) - len(stanza(["max", "", ""], b""))
    largest.append(stanza(["max", "n" * 2000, "n" * (rest - 2000 - 4000)], bytes(4000)))
    vectors.whole(
        "plugin-largest",
        "Parameters of 16,384 bytes: four stanzas, one of them of sixteen arguments, the first of 2048 bytes.",
        Archive(plan("plugin largest", [salted("plugin"), plugin_slot(3, largest, key)], **SMALL)),
        reader=given(key),
        scopes=(1, 2),
    )
    faults(key, slot)


def faults(key, slot):
    def opening(name, description, verdict, **changes):
        bad(f"plugin-{name}", description, verdict, "open", base="plugin", reader=given(key), **changes)

    at = 4 + len(slot.parameters)
    opening(
        "commitment", "The commitment is another.", WRONG, encoded_slots=lambda s: [s[0], flip(s[1], at)]
    )
    opening(
        "parameters",
        "A byte of a stanza's body is another: the wrapping key is, too.",
        WRONG,
        encoded_slots=lambda s: [s[0], flip(s[1], at - 1)],
    )
    opening(
        "wrapped",
        "The wrapped keys' tag does not hold.",
        FORGED,
        encoded_slots=lambda s: [s[0], flip(s[1], len(s[1]) - 1)],
    )
    strange = {scope: draw(f"another root {scope}", 32) for scope in (1, 2, 3)}
    archive = vectors.archives["plugin"]
    encoded = Slot(7, 3, slot.parameters, slot.secret, strange).encode(archive.plan.archive_id, strange)
    bad(
        "plugin-disagrees",
        "The plugin's slot leads to other keys than the passphrase's.",
        FORGED,
        "open",
        base="plugin",
        reader=given(key) | READER,
        encoded_slots=lambda s: [s[0], encoded],
    )
    rest = bytes(32 + 48)

    def slots(name, description, parameters, mask=1, rest=rest):
        body = parameters + rest
        made = bytes([7, mask]) + u16(len(body)) + body
        bad(
            f"plugin-slot-{name}",
            description,
            FORGED,
            "structure",
            base="plugin",
            encoded_slots=lambda s: s + [made],
        )

    one = stanza(["type", "argument"], b"body")
    large = stanza(["max", "n" * 80], bytes(4000))
    for name, description, parameters in (
        ("empty", "No parameters at all.", b""),
        ("none", "No stanza.", b"\0"),
        ("five", "Five stanzas.", b"\5" + 5 * one),
        ("fewer", "Fewer stanzas than the number of them.", b"\2" + one),
        ("more", "More stanzas than the number of them.", b"\1" + 2 * one),
        ("no-argument", "A stanza without arguments.", b"\1\0\0\0"),
        ("17-arguments", "A stanza of 17 arguments.", b"\1" + stanza(["a"] * 17, b"")),
        ("empty-argument", "An argument without bytes.", b"\1" + stanza(["type", ""], b"")),
        ("empty-type", "A type without bytes.", b"\1" + stanza([""], b"")),
        ("long-argument", "An argument of 2049 bytes.", b"\1" + stanza(["t", "a" * 2049], b"")),
        ("blank", "A blank in an argument.", b"\1" + stanza(["type", "two words"], b"")),
        ("control", "A line end in an argument.", b"\1" + stanza(["type", "line\n"], b"")),
        ("delete", "A byte 7F in an argument.", b"\1" + stanza(["type\x7f"], b"")),
        ("long-body", "A body of 4097 bytes.", b"\1" + stanza(["type"], bytes(4097))),
        ("cut", "The last stanza's body is a byte short.", b"\1" + one[:-1]),
        ("cut-length", "The last stanza has no length of its body.", b"\1" + stanza(["type"], b"")[:-2]),
        ("trailing", "A byte behind the last stanza.", b"\1" + one + b"\0"),
        (
            "large",
            "Parameters of 16,385 bytes.",
            b"\4" + 3 * large + stanza(["max", "n" * 8], bytes(4096)),
        ),
    ):
        slots(name, description, parameters)
    slots("same", "Two plugin's slots with the same parameters.", slot.parameters)
    slots("mask-0", "A plugin's slot for no scope.", b"\1" + one, mask=0)
    slots("short", "A body that has room for no parameters.", b"", rest=rest[1:])
