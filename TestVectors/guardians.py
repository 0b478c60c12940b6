"""Guardians' shares: SLIP-39 with one group, and archives that they open."""

import hashlib
import hmac
import os

import nacl.bindings as sodium

from samples import FORGED, SMALL, draw, plan, salted, vectors
from writer import H, Archive, recipient_slot, u16

with open(
    os.path.join(os.path.dirname(os.path.abspath(__file__)), "slip39-words.txt"), encoding="ascii"
) as file:
    WORDS = file.read().split()
WRONG = "wrong secret"

# The standard's arithmetic, written for clarity and not for speed.

EXP, LOG = [], {}
power = 1
for exponent in range(255):
    EXP.append(power)
    LOG[power] = exponent
    power ^= power << 1
    power ^= 0x11B if power & 0x100 else 0


def interpolated(points, x):
    """The value at x of the polynomial through the points, byte by byte."""
    for place, value in points:
        if place == x:
            return value
    whole = sum(LOG[place ^ x] for place, _ in points)
    result = bytes(len(points[0][1]))
    for place, value in points:
        others = sum(LOG[place ^ other] for other, _ in points if other != place)
        factor = (whole - LOG[place ^ x] - others) % 255
        result = bytes(r ^ (EXP[(LOG[v] + factor) % 255] if v else 0) for r, v in zip(result, value))
    return result


def split(secret, threshold, count, label):
    digest_key = draw(label + " digest", len(secret) - 4)
    digest = hmac.digest(digest_key, secret, "sha256")[:4]
    points = [(i, draw(f"{label} point {i}", len(secret))) for i in range(threshold - 2)]
    base = points + [(254, digest + digest_key), (255, secret)]
    return [interpolated(base, i) for i in range(count)]


def encrypted(secret, identifier, exponent=1, extendable=False):
    left, right = secret[:16], secret[16:]
    for i in range(4):
        salt = (b"" if extendable else b"shamir" + identifier.to_bytes(2, "big")) + right
        key = hashlib.pbkdf2_hmac("sha256", bytes([i]), salt, 2500 << exponent, 16)
        left, right = right, bytes(a ^ b for a, b in zip(left, key))
    return right + left


def checksum(values, label=b"shamir"):
    generators = (
        0xE0E040, 0x1C1C080, 0x3838100, 0x7070200, 0xE0E0009,
        0x1C0C2412, 0x38086C24, 0x3090FC48, 0x21B1F890, 0x3F3F120,
    )  # fmt: skip
    check = 1
    for value in list(label) + values + [0, 0, 0]:
        top = check >> 20
        check = (check & 0xFFFFF) << 10 ^ value
        for i, generator in enumerate(generators):
            check ^= generator if top >> i & 1 else 0
    check ^= 1
    return [check >> 20, check >> 10 & 1023, check & 1023]


def words(identifier, threshold, member, value, exponent=1, extendable=False):
    bits = f"{identifier:015b}{extendable:01b}{exponent:04b}{0:04b}{0:04b}{0:04b}{member:04b}{threshold - 1:04b}"
    data = f"{int.from_bytes(value, 'big'):0{len(value) * 8}b}"
    bits += "0" * (-len(data) % 10) + data
    values = [int(bits[i : i + 10], 2) for i in range(0, len(bits), 10)]
    label = b"shamir_extendable" if extendable else b"shamir"
    return " ".join(WORDS[i] for i in values + checksum(values, label))


def shares(key, identifier, threshold, count, label, exponent=1, extendable=False):
    values = split(encrypted(key, identifier, exponent, extendable), threshold, count, label)
    return [words(identifier, threshold, i, value, exponent, extendable) for i, value in enumerate(values)]


def tag(vault_id, text):
    return H(b"fueki/1 guardian", vault_id, text.encode())[:4]


def numbers(identifier, threshold, texts, vault_id):
    return bytes([threshold, len(texts)]) + u16(identifier) + b"".join(tag(vault_id, t) for t in texts)


def guardians():
    vault = draw("vault", 16)
    key, identifier = draw("guardians' key", 32), 0x5A17
    given = shares(key, identifier, 3, 5, "guardians")
    slot = recipient_slot(4, 7, draw("ephemeral of guardians", 32), key, numbers(identifier, 3, given, vault))
    archive = Archive(plan("guardians", [salted("guardians"), slot], **SMALL))
    vectors.whole(
        "guardians",
        "Five guardians, of whom three open the archive: the first, the fourth and the fifth.",
        archive,
        reader={"shares": [given[3], given[0], given[4]]},
        shares={"missing": 0, "problems": []},
    )
    damaged = given[1].split()
    damaged[20] = WORDS[(WORDS.index(damaged[20]) + 1) % 1024]
    other = shares(draw("other guardians' key", 32), identifier, 3, 5, "other guardians")[1]

    def case(name, description, texts, missing, *problems, verdict=None, **more):
        facts = {"verdict": verdict, "depth": "open"} if verdict else {}
        named = {"missing": missing, "problems": [{"place": p, "fault": f} for p, f in problems]}
        vectors.same(
            f"guardians-{name}",
            description,
            "guardians",
            reader={"shares": texts},
            shares=named,
            **facts,
            **more,
        )

    case("other-three", "Three others.", given[1:4], 0)
    case("all", "All five.", given, 0)
    spelled = [given[0].upper(), "\t" + given[2].replace(" ", "   ") + " ", given[4].title()]
    case("spelling", "Capital letters and more spaces.", spelled, 0)
    case("too-few", "Two of three.", given[:2], 1, verdict=WRONG)
    case("one", "One of three.", given[4:], 2, verdict=WRONG)
    case("doubled", "One of them twice.", given[:2] + given[:1], 1, (3, "doubled"), verdict=WRONG)
    case(
        "damaged",
        "A word of the second is another.",
        [given[0], " ".join(damaged), given[2]],
        1,
        (2, "not a share"),
        verdict=WRONG,
    )
    case(
        "word-missing",
        "The first has lost a word, and the last has one that is in no list.",
        [given[0].rsplit(" ", 1)[0], given[1], given[2], given[3].rsplit(" ", 1)[0] + " fueki"],
        1,
        (1, "not a share"),
        (4, "not a share"),
        verdict=WRONG,
    )
    case(
        "foreign",
        "One is of other guardians with the same identifier.",
        [given[0], other, given[2]],
        1,
        (2, "foreign"),
        verdict=WRONG,
    )
    case(
        "enough-and-bad",
        "Three good ones, and a damaged, a foreign and a doubled one.",
        [" ".join(damaged), given[0], other, given[2], given[0], given[4]],
        0,
        (1, "not a share"),
        (3, "foreign"),
        (5, "doubled"),
    )
    vectors.same(
        "guardians-too-few-and-passphrase",
        "Too few shares, and the passphrase: one secret that opens is enough.",
        "guardians",
        reader={"shares": given[:1], "passphrases": ["correct horse battery staple"]},
    )
    elsewhere = Archive(
        plan("elsewhere", [salted("elsewhere"), slot], **SMALL).but(vault_id=draw("other vault", 16))
    )
    vectors.edited(
        "guardians-of-another-vault",
        "The slot was moved to another vault's archive by who knows the guardians' public key.",
        "guardians",
        elsewhere,
        reader={"shares": given[:3]},
        verdict=WRONG,
        depth="open",
        shares={"missing": 3, "problems": [{"place": i, "fault": "foreign"} for i in (1, 2, 3)]},
    )

    def forged(name, description, texts, threshold, private=key):
        more = numbers(identifier, threshold, texts, vault)
        bad = recipient_slot(4, 7, draw("ephemeral " + name, 32), private, more)
        vectors.edited(
            f"guardians-{name}",
            description,
            "guardians",
            Archive(plan("guardians", [salted("guardians"), bad], **SMALL)),
            reader={"shares": texts[:threshold]},
            verdict=FORGED,
            depth="open",
        )

    wrong_digest = [words(identifier, 3, i, draw(f"no share {i}", 32)) for i in range(5)]
    forged("do-not-combine", "The tags hold, and the shares are no secret's.", wrong_digest, 3)
    forged("lower-threshold", "The slot says two where the shares say three.", given, 2)
    forged(
        "another-key", "The shares combine to another key than the slot's.", given, 3, draw("third key", 32)
    )
    assert sodium.crypto_scalarmult_base(key)

    # The slot's tags are those of shares that are not all of one set, or not as its numbers say.

    def tagged(name, description, texts, reads, threshold=3, private=key, **facts):
        more = numbers(identifier, threshold, texts, vault)
        slot = recipient_slot(4, 7, draw("ephemeral " + name, 32), private, more)
        vectors.edited(
            f"guardians-{name}",
            description,
            "guardians",
            Archive(plan("guardians", [salted("guardians"), slot], **SMALL)),
            reader={"shares": reads},
            **({"verdict": FORGED, "depth": "open"} | facts),
        )

    second = shares(draw("second key", 32), 0x0B5E, 3, 5, "second guardians")
    mixed = given[:2] + second[2:]
    tagged("two-sets", "Enough carry the slot's tags; they are of two sets.", mixed, mixed[:3])
    tagged(
        "another-set",
        "All shares with the slot's tags have another identifier than the slot.",
        second,
        second[:3],
    )
    tagged(
        "two-sets-too-few",
        "The tags are of two sets, and fewer than the threshold are at hand.",
        mixed,
        mixed[1:3],
        verdict=WRONG,
        shares={"missing": 2, "problems": [{"place": 2, "fault": "foreign"}]},
    )
    tagged(
        "two-sets-and-doubled",
        "Three shares with the slot's tags, of two members.",
        mixed,
        [mixed[4], mixed[0], mixed[4]],
        verdict=WRONG,
        shares={
            "missing": 2,
            "problems": [{"place": 1, "fault": "foreign"}, {"place": 3, "fault": "foreign"}],
        },
    )
    mixed = second[:2] + given[2:]
    tagged(
        "two-sets-enough-good",
        "Enough are good, and two of another set that carry the slot's tags do no harm.",
        mixed,
        mixed,
        verdict="ok",
        depth="contents",
        shares={
            "missing": 0,
            "problems": [{"place": 1, "fault": "foreign"}, {"place": 2, "fault": "foreign"}],
        },
    )
    two = shares(key, identifier, 2, 5, "two of five")
    tagged("higher-threshold", "The slot says three where the shares say two.", two, two[:3])
    tagged(
        "other-threshold-not-chosen",
        "Three good ones, and behind them one that says two where the slot says three.",
        given[:4] + two[4:],
        [two[4]] + given[:3],
        verdict="ok",
        depth="contents",
        shares={"missing": 0, "problems": []},
    )
    cheap = shares(key, identifier, 3, 5, "exponent", exponent=0)
    tagged("exponent", "The shares' iteration exponent is 0.", cheap, cheap[:3])
    extendable = shares(key, identifier, 3, 5, "extendable", extendable=True)
    tagged(
        "extendable",
        "Extendable shares, whose checksum is over other bytes, are no shares of guardians.",
        extendable,
        extendable[:3],
        verdict=WRONG,
        shares={"missing": 3, "problems": [{"place": i, "fault": "not a share"} for i in (1, 2, 3)]},
    )


if __name__ == "__main__":
    print(*shares(draw("guardians' key", 32), 0x5A17, 3, 5, "guardians"), sep="\n")
