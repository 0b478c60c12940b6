"""Differential archives: a history that two files hold together."""

from dataclasses import replace

from samples import (
    DAMAGED,
    FORGED,
    HISTORY_PASS,
    LIMIT,
    PASS,
    READER,
    draw,
    flip,
    integer,
    packed,
    plan,
    salted,
    text,
    transaction,
    vectors,
    wallet,
)
from writer import Archive, H, Section, framed, stored, u16, u64, varint
from frames import real

MISSING, CHANGES = "base missing", 62


def identity(section, message, known=None):
    """As the page has it, for messages that are made here: known says what the id is, None that there is none."""
    return b"\0" + known if known else b"\1" + H(message)


def set_digest(section, messages):
    label = b"fueki/1 record" + u16(section)
    total = sum(int.from_bytes(H(label, message), "little") for message in messages) % 2**256
    return H(b"fueki/1 set", u16(section), u64(len(messages)), total.to_bytes(32, "little"))


def entry(section, messages, removed=(), more=b""):
    """One section's entry: what the result is, and what of the base is gone."""
    count = integer(2, len(messages)) if messages else b""
    digest = text(3, set_digest(section, messages))
    return integer(1, section) + count + digest + b"".join(text(4, x) for x in sorted(removed)) + more


def changes(*entries):
    return Section(CHANGES, [stored(b"".join(text(1, one) for one in entries))])


def tx_id(i):
    return identity(32, b"", packed(f"tx-{i}"))


def receipt(i, gas="21000", name=""):
    return text(1, packed(f"receipt-{i}{name}")) + text(2, packed(f"tx-{i}")) + text(3, gas)


def changed(i):
    return transaction(i) + text(16, "{}")


BARE = integer(9, 7)  # a record without an id
ODD = b"\x0b\x0c"  # no message at all
TRANSACTIONS = [transaction(i) for i in range(60)]
RECEIPTS = [receipt(i) for i in range(10)] + [receipt(3, name=" again")]
UNKNOWN = [text(1, "one") + text(2, "a"), BARE, BARE, ODD, b"", text(1, "two")]
MESSAGES = [text(1, packed("message")) + text(4, "to be removed with its section")]
BASE = {
    32: TRANSACTIONS,
    33: RECEIPTS,
    38: MESSAGES,
    45: UNKNOWN,
}
# What the differential archive holds of each section, and what it removes.
OWN = {
    32: [transaction(60), changed(5), transaction(61), transaction(7)],
    33: [receipt(3, "22000"), receipt(3, "22000", " again"), receipt(60)],
    40: [text(1, "new section")],
    45: [BARE, text(1, "one") + text(2, "b"), b"\x80"],
}
REMOVED = {
    32: [tx_id(0), tx_id(59)],
    38: [identity(38, MESSAGES[0], packed("message"))],
    45: [identity(45, ODD), identity(45, b""), identity(45, b"", b"two")],
}
RESULT = {
    32: [transaction(i) for i in range(60) if i not in (0, 5, 7, 59)] + OWN[32],
    33: [receipt(i) for i in range(10) if i != 3] + OWN[33],
    38: [],
    40: OWN[40],
    45: OWN[45],
}


def sections_of(records):
    return [Section(section, [stored(*messages)]) for section, messages in sorted(records.items()) if messages]


def entries(result=None, removed=None, order=None):
    result, removed = result or RESULT, REMOVED if removed is None else removed
    return [entry(section, result[section], removed.get(section, ())) for section in order or sorted(result)]


PROFILE = {"profile": (Section(2, [stored(wallet(0))]),)}


def full(name, description, records=None, **more):
    """A base; it is read by itself, like any full archive."""
    more = {"sequence": 4, "previous": draw("before the base", 32)} | more
    label, slots = more.pop("label", name), more.pop("slots", None) or [salted(name)]
    archive = Archive(plan(label, slots, history=sections_of(records or BASE), **PROFILE, **more))
    vectors.whole(name, description, archive, reader=READER)
    return archive


def header_field(base, sequence=None):
    return base.digest + u64(base.plan.sequence if sequence is None else sequence)


def summary(result):
    return [
        {
            "id": section,
            "records": len(messages),
            "sha256": H(*(varint(len(m)) + m for m in messages)).hex(),
        }
        for section, messages in sorted(result.items())
    ]


def with_base(*names, **more):
    return READER | {"bases": list(names)} | more


def differential():
    base = full("differential-base", "The base of differential archives: a full archive, as any.")
    history = sections_of(OWN) + [changes(*entries())]
    good = Archive(
        plan(
            "differential",
            [salted("differential")],
            base=header_field(base),
            sequence=9,
            previous=draw("previous", 32),
            history=history,
            **PROFILE,
        )
    )
    vectors.whole(
        "differential",
        "Records inserted, changed, removed and repeated; ids, none, and no messages; sections that are new, gone "
        "and not known; with its base.",
        good,
        reader=with_base("differential-base"),
        result=summary(RESULT),
    )
    readers(good)
    more(base)
    faults_of_headers(base)
    faults_of_changes(base)
    faults_of_bases(base)
    salvages(base)


def readers(good):
    def same(name, description, reader, **facts):
        vectors.same(f"differential-{name}", description, "differential", reader=reader, **facts)

    missing = {"verdict": MISSING, "depth": "contents"}
    base, result = "differential-base", {"result": summary(RESULT)}
    same("no-base", "The same, without its base.", READER, **missing)
    same("no-secret", "The same, without a secret: its base is not needed.", {}, depth="checksums")
    same("another", "Beside it is only another archive.", with_base("everything"), **missing)
    same("itself", "Beside it is only itself.", with_base("differential"), **missing)
    same("among-others", "Its base is the last of the files beside it.", with_base("everything", "differential", base), **result)
    known = {"sequence": 4, "digest": vectors.archives[base].digest.hex()}
    same("known-base", "The base is the newest archive that is known.", with_base(base, known=known), reported=["gap"], **result)
    same(
        "forked-base",
        "Another archive than the base is known under the base's sequence.",
        with_base(base, known={"sequence": 4, "digest": draw("other", 32).hex()}),
        verdict="forked",
        depth="checksums",
    )
    same(
        "older-than-base-known",
        "An older archive than the base is known.",
        with_base(base, known={"sequence": 3, "digest": draw("other", 32).hex()}),
        reported=["gap"],
        **result,
    )
    total = sum(len(varint(len(m)) + m) for records in BASE.values() for m in records)
    for archive in (good, vectors.archives[base]):
        manifest = archive.entry(archive.sections[1][0]).length
        total += manifest + archive.entry(archive.sections[1][1]).length
    total += sum(archive_section.length for archive_section in map(good.entry, good.sections[2]))
    same("limit", "The caller's limit is what both files hold together.", with_base(base, plaintext_limit=total), **result)
    same(
        "over-limit",
        "The caller's limit is a byte less than what both files hold together.",
        with_base(base, plaintext_limit=total - 1),
        verdict=LIMIT,
        depth="contents",
    )
    vectors.whole(
        "differential-profile",
        "A slot for profile and secrets, read with its passphrase: no base is needed.",
        Archive(
            plan(
                "differential profile",
                [salted("differential 1", mask=5), salted("differential 2", HISTORY_PASS, 2)],
                base=good.plan.base,
                sequence=9,
                previous=draw("previous", 32),
                history=good.plan.sections[2],
                **PROFILE,
            )
        ),
        reader=READER,
        scopes=(1, 3),
    )


def small(label, base, own=None, result=None, removed=None, **more):
    """A differential archive of one section; base is an Archive or a header field."""
    own = {32: [transaction(60)]} if own is None else own
    rest = {section: messages for section, messages in BASE.items() if section != 32}
    result = result or {32: TRANSACTIONS + own.get(32, []), **rest}
    section = more.pop("changes", None) or changes(*entries(result, removed or {}))
    history = more.pop("history", None) or sections_of(own) + [section]
    field = base if isinstance(base, bytes) else header_field(base)
    more = {"sequence": 9, "previous": draw("previous", 32)} | more
    archive = Archive(
        plan("differential " + label, more.pop("slots", None) or [salted("differential small")], base=field, history=history, **PROFILE, **more)
    )
    return archive, result


def good_one(name, description, archive, result, base="differential-base", **more):
    vectors.whole(f"differential-{name}", description, archive, reader=with_base(base, **more), result=summary(result))


def more(base):
    """Other good ones."""
    good_one("next", "Its base is the archive before it.", *small("next", base, sequence=5, previous=base.digest))
    good_one("next-of-zeros", "Its base is the archive before it, and previous is zeros.", *small("next of zeros", base, sequence=5, previous=bytes(32)))
    good_one("nothing", "Nothing differs.", *small("nothing", base, own={}))
    good_one(
        "same-record",
        "A record that the base has, too, does no harm.",
        *small("same", base, {32: [transaction(3)]}, {32: [transaction(i) for i in range(60) if i != 3] + [transaction(3)], **{s: m for s, m in BASE.items() if s != 32}}),
    )
    everything_gone = {32: [], 33: [], 38: [], 45: []}
    gone = {
        32: [tx_id(i) for i in range(60)],
        33: sorted({identity(33, b"", packed(f"tx-{i}")) for i in range(10)}),
        38: REMOVED[38],
        45: sorted({identity(45, BARE), *REMOVED[45], identity(45, b"", b"one")}),
    }
    good_one("all-gone", "All of the base is removed.", *small("all gone", base, {}, everything_gone, gone))
    own = {63: [b"?"], 32: [transaction(60)]}
    good_one(
        "section-63",
        "Section 63 is each archive's own.",
        *small("63", base, own, history=[Section(32, [stored(transaction(60))]), changes(*entries({32: TRANSACTIONS + [transaction(60)], **{s: m for s, m in BASE.items() if s != 32}}, {})), Section(63, [stored(b"?")])]),
    )
    rest = {s: m for s, m in BASE.items() if s != 32}
    result = {32: TRANSACTIONS + [transaction(60)], **rest}
    unknown = integer(5, 1) + text(6, "later") + b"\x3d" + bytes(4) + b"\x41" + bytes(8)
    body = b"".join(text(1, one + unknown) for one in entries(result, {})) + unknown
    good_one(
        "unknown-fields",
        "Fields of the changes that are not known.",
        *small("unknown fields", base, result=result, changes=Section(CHANGES, [stored(body)])),
    )
    long = text(1, integer(1, 32).replace(b"\x20", b"\xa0\x80\0") + entries(result, {}, [32])[0][2:])
    body = long + b"".join(text(1, one) for one in entries(result, {}, [33, 38, 45]))
    good_one(
        "long-varint",
        "A varint of the changes in more bytes than it needs.",
        *small("long varint", base, result=result, changes=Section(CHANGES, [stored(body)])),
    )
    columns = Archive(plan("differential columns", [salted("differential columns")], base=header_field(base), sequence=9, suite=3, previous=draw("previous", 32), history=[Section(32, [framed(real, transaction(60), *map(changed, range(20)))]), changes(*entries({32: TRANSACTIONS[20:] + [transaction(60), *map(changed, range(20))], **rest}, {}))], **PROFILE))
    good_one("suites", "Archive and base are of different suites.", columns, {32: TRANSACTIONS[20:] + [transaction(60), *map(changed, range(20))], **rest})
    last = text(1, packed("tx-1")) + text(1, packed("tx-2")) + integer(9, 5)
    result = {32: [transaction(i) for i in range(60) if i != 2] + [last], **rest}
    good_one("last-id", "A record with two ids: the last one counts.", *small("last id", base, {32: [last]}, result))
    other = text(1, packed("tx-1")) + integer(1, 3)
    result = {32: TRANSACTIONS + [other], **rest}
    good_one(
        "id-of-another-type",
        "A record whose last field 1 is a number has no id.",
        *small("other type", base, {32: [other]}, result),
    )


def faults_of_headers(base):
    def fault(name, description, field, sequence=9, previous=None, verdict=FORGED, depth="structure"):
        archive, _ = small(name, field, sequence=sequence, previous=draw("previous", 32) if previous is None else previous)
        vectors.edited(f"differential-{name}", description, "differential-nothing", archive, verdict=verdict, depth=depth, reader=with_base("differential-base"))

    digest = base.digest
    fault("base-short", "The base's field has 39 bytes.", header_field(base)[:-1])
    fault("base-long", "The base's field has 41 bytes.", header_field(base) + b"\0")
    fault("base-sequence-0", "The base's sequence is 0.", digest + u64(0))
    fault("base-same-sequence", "The base's sequence is the archive's.", digest + u64(9))
    fault("base-later-sequence", "The base's sequence is above the archive's.", digest + u64(2**64 - 1))
    fault("base-zeros", "The base's digest is zeros.", bytes(32) + u64(4))
    fault("base-not-previous", "The base has the sequence before, and previous is another.", digest + u64(8))
    fault("base-is-previous", "Previous is the base, whose sequence is not the one before.", digest + u64(4), previous=digest)
    fault("base-of-first", "A first archive with a base.", digest + u64(1), sequence=1, previous=bytes(32))


def faults_of_changes(base):
    rest = {s: m for s, m in BASE.items() if s != 32}
    result = {32: TRANSACTIONS + [transaction(60)], **rest}
    others = entries(result, {}, [33, 38, 45])

    def fault(name, description, section=None, verdict=FORGED, depth="contents", bases=("differential-base",), **more):
        archive, _ = small(name, base, changes=section, **more)
        vectors.edited(f"differential-{name}", description, "differential-nothing", archive, verdict=verdict, depth=depth, reader=with_base(*bases))

    def first(name, description, one, **more):
        """The entry of section 32 is another."""
        fault(name, description, changes(one, *others), **more)

    mine = [Section(32, [stored(transaction(60))])]
    good = changes(*entries(result, {}))
    fault("no-changes", "There is no record of changes.", history=mine, depth="open")
    fault("two-changes", "There are two records of changes.", Section(CHANGES, [stored(*[b"".join(text(1, x) for x in entries(result, {}))] * 2)]), depth="open")
    vectors.edited(
        "differential-changes-in-full",
        "A full archive has a record of changes.",
        "differential-nothing",
        Archive(plan("changes in full", [salted("differential small")], sequence=9, previous=draw("previous", 32), history=[*mine, good], **PROFILE)),
        verdict=FORGED,
        depth="open",
        reader=READER,
    )
    one = entries(result, {}, [32])[0]
    first("malformed", "The changes are no message.", one + b"\x0b", bases=())
    fault("changes-cut", "The changes end in a field.", Section(CHANGES, [stored(text(1, one)[:-1])]), bases=())
    fault("changes-number", "Field 1 of the changes is a number.", Section(CHANGES, [stored(integer(1, 5))]), bases=())
    digest = text(3, set_digest(32, result[32]))
    count = integer(2, 61)
    first("section-31", "An entry of section 31.", integer(1, 31) + count + digest, bases=())
    fault("section-62", "An entry of section 62.", changes(one, *others, integer(1, 62) + count + digest), bases=())
    first("section-2-16", "An entry of section 65568.", integer(1, 65536 + 32) + count + digest, bases=())
    first("section-absent", "An entry of no section.", count + digest, bases=())
    first("section-twice-stated", "An entry that names its section twice.", integer(1, 32) + one, bases=())
    first("section-as-bytes", "An entry whose section is no number.", text(1, "\x20") + count + digest, bases=())
    fault("entry-twice", "Two entries of a section.", changes(one, one, *others), bases=())
    fault("entries-descend", "Entries in another order.", changes(*reversed([one, *others])), bases=())
    first("records-twice", "An entry with two numbers of records.", one + count, bases=())
    first("digest-absent", "An entry without a set digest.", integer(1, 32) + count, bases=())
    first("digest-short", "A set digest of 31 bytes.", integer(1, 32) + count + text(3, bytes(31)), bases=())
    first("digest-twice", "An entry with two set digests.", one + digest, bases=())
    first("removed-number", "A removed identity that is a number.", one + integer(4, 1), bases=())
    first("removed-empty", "A removed identity of no bytes.", one + text(4, b""), bases=())
    first("removed-no-id", "A removed identity of an empty id.", one + text(4, b"\0"), bases=())
    first("removed-short-digest", "A removed identity with a digest of 31 bytes.", one + text(4, b"\1" + bytes(31)), bases=())
    first("removed-form-2", "A removed identity of a form that there is none of.", one + text(4, b"\2" + bytes(32)), bases=())
    fewer = [m for i, m in enumerate(TRANSACTIONS) if i not in (1, 2)] + [transaction(60)]
    twice = integer(1, 32) + integer(2, 59) + text(3, set_digest(32, fewer)) + text(4, tx_id(2)) + text(4, tx_id(1))
    first("removed-descend", "Removed identities in another order.", twice, bases=())
    single = TRANSACTIONS[:1] + TRANSACTIONS[2:] + [transaction(60)]
    twice = integer(1, 32) + integer(2, 60) + text(3, set_digest(32, single)) + text(4, tx_id(1)) * 2
    first("removed-twice", "An identity that is removed twice.", twice, bases=())
    fault("no-entry-own", "The archive has a section that the changes do not name.", changes(*others), bases=())
    fault("no-entry-base", "The base has a section that the changes do not name.", changes(one, *others[1:]))
    fault("entry-of-nothing", "The changes name a section that neither has.", changes(one, others[0], entry(36, []), *others[1:]))
    first("removed-unknown", "An identity is removed that the base does not have.", entry(32, result[32], [tx_id(99)]))
    first("removed-and-here", "An identity is removed whose record stands here.", entry(32, result[32], [tx_id(60)]))
    both = [m for i, m in enumerate(TRANSACTIONS) if i != 1] + [changed(1)]
    fault(
        "removed-and-changed",
        "An identity is removed whose record stands here, changed.",
        changes(entry(32, both, [tx_id(1)]), *others),
        own={32: [changed(1)]},
    )
    wrong = integer(1, 32) + integer(2, 60) + digest
    first("count", "A section has another number of records.", wrong)
    first("set-digest", "A set digest is another.", integer(1, 32) + count + text(3, flip(set_digest(32, result[32]), 31)))
    first("set-digest-of-plain-order", "A set digest is of the section's number less 1.", integer(1, 32) + count + text(3, set_digest(31, result[32])))
    big = integer(1, 32) + integer(2, 2**64 - 1) + digest
    first("count-2-64", "A number of records of 2^64 - 1.", big)
    # Step 7 judges what the index says, before any record is read.
    many = 4_194_305

    def index(s, found):
        return [e._replace(records=many) if e.id == 32 else e for e in found]

    fault("too-many", "The index says 4,194,305 records.", good, verdict=LIMIT, depth="open", hooks={"index": index})


def faults_of_bases(base):
    def beside(name, description, content, verdict, **facts):
        """A changed base, beside an archive that names the good one."""
        vectors.edited(f"differential-base-{name}", description, "differential-base", content, verdict=facts.pop("own", verdict), depth=facts.pop("depth", "checksums"), reader=READER)
        vectors.same(
            f"differential-with-base-{name}",
            f"A differential archive beside this base: {description[0].lower()}{description[1:]}",
            "differential",
            reader=with_base(f"differential-base-{name}"),
            verdict=verdict,
            depth="contents",
        )

    whole = base.bytes
    at = base.chunk_at(base.counts[0]) + 1000
    beside("damaged", "A chunk of its history is damaged.", flip(whole, at), DAMAGED)
    beside("trailing", "Bytes follow it.", whole + b"more", DAMAGED, depth="structure")
    beside("header-copy", "The header's copy is damaged.", flip(whole, base.header_copy_at + 20), DAMAGED)
    beside("cut", "Its end is missing.", whole[:-1000], MISSING, own="incomplete", depth="structure")
    vectors.same(
        "differential-two-bases",
        "A damaged base, and then a whole one.",
        "differential",
        reader=with_base("differential-base-damaged", "differential-base"),
        result=summary(RESULT),
    )
    rest = {s: m for s, m in BASE.items() if s != 32}

    def of(name, description, archive, verdict, **more):
        """A differential archive of another base, which is good by itself but where said."""
        vectors.whole(f"differential-base-{name}", f"A base: {description[0].lower()}{description[1:]}", archive, reader=more.pop("reader", READER), **more.pop("own", {}))
        made, result = small("of " + name, more.pop("field", archive))
        facts = {"result": summary(result)} if verdict == "ok" else {"depth": "contents"}
        vectors.whole(f"differential-of-{name}", description, made, reader=with_base(f"differential-base-{name}"), verdict=verdict, **facts)

    def made(label, slots=None, **more):
        more = {"sequence": 4, "previous": draw("before the base", 32), "history": sections_of(BASE)} | more
        return Archive(plan(label, slots or [salted("base " + label)], **PROFILE, **more))

    other = replace(made("other vault").plan, vault_id=draw("another vault", 16))
    of("other-vault", "The base is of another vault.", Archive(other), FORGED)
    elsewhere = made("other sequence")
    of("other-sequence", "The base has another sequence than stated.", elsewhere, FORGED, field=header_field(elsewhere, 3))
    chain, chained = small("chain", base, sequence=7)
    of(
        "differential",
        "The base is differential itself.",
        chain,
        FORGED,
        reader=with_base("differential-base"),
        own={"result": summary(chained)},
    )
    closed = made("closed", [salted("closed 1", "another one", 7), salted("closed 2", PASS, 5)])
    of("closed", "The secret opens of the base all but the history.", closed, "wrong secret", own={"scopes": (1, 3)})
    strange = made("strange", [salted("strange", "another one")])
    of("strange", "The secret opens nothing of the base.", strange, "wrong secret", reader={"passphrases": ["another one"]})
    history_only = made("history only", [salted("history only", PASS, 2)])
    of("history-only", "The secret opens of the base the history alone.", history_only, "ok", own={"scopes": (2,)})
    signed = made("signed base", signer_seed=draw("signer", 32))
    of("signed", "The base is signed; nobody asks by whom.", signed, "ok")
    broken = made("broken signature", signer_seed=draw("signer", 32)).plan.but(signature=lambda s: flip(s, 3))
    of("bad-signature", "The base's signature does not hold.", Archive(broken), FORGED, own={"verdict": FORGED, "depth": "checksums"})
    inconsistent = made("inconsistent").plan.but(index=lambda s, found: [e._replace(digest=flip(e.digest, 0)) if e.id == 33 else e for e in found])
    of("bad-digest", "A section of the base has another digest.", Archive(inconsistent), FORGED, own={"verdict": FORGED, "depth": "contents"})
    profile = made("bad profile").plan.but(scope_fields=lambda d: text(1, flip(d[0], 0)) + text(2, d[1]) + text(3, d[2]))
    of("bad-profile", "The base's profile, which is open, does not hold.", Archive(profile), FORGED, own={"verdict": FORGED, "depth": "contents"})


def salvages(base):
    """Of a differential archive whose files are damaged."""
    good = vectors.archives["differential"]
    rescue = with_base("differential-base", salvage=True)
    lost = flip(good.bytes, good.chunk_at(good.counts[0]) + 50)
    everything = {s: good.sections[s] for s in (1, 2, 3)}
    digests = {section.id: H(b"".join(b.plaintext for b in section.blocks)).hex() for s in (1, 2, 3) for section in everything[s]}
    ends, at = {}, 0
    for section in everything[2]:
        size = sum(len(block.stored) for block in section.blocks)
        ends[section.id] = at < 16384
        at += size
    kept = []
    for s in (1, 2, 3):
        for section in everything[s]:
            found = good.entry(section)
            gone = s == 2 and ends[section.id]
            kept.append({
                "id": section.id,
                "lost": found.records if gone else 0,
                "gaps": [{"bytes": [0, found.length], "after": 0}] if gone else [],
                "sha256": H(b"").hex() if gone else digests[section.id],
            })
    vectors.edited(
        "differential-salvage-changes",
        "The chunk with the changes and all of the history's records is damaged: nothing of the history comes back.",
        "differential",
        lost,
        verdict=DAMAGED,
        depth="checksums",
        reader=rescue,
        salvaged={"proven": True, "lost_scopes": [], "sections": kept},
    )
    of = flip(good.bytes, good.header_copy_at + 30)
    vectors.edited(
        "differential-salvage-whole",
        "Only the header's copy is damaged: all of the history comes back, with its base.",
        "differential",
        of,
        verdict=DAMAGED,
        depth="contents",
        reader=rescue,
        damage=["header copy"],
        result=summary(RESULT),
    )
