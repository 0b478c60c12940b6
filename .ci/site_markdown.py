"""The Markdown that this project's pages use, as HTML: headings, paragraphs, lists, tables, code, links, emphasis."""
import html
import re


def slug(title):
    """A heading's name in links, as code hosts make it."""
    return re.sub(r"[^\w\- ]", "", title.strip().lower()).replace(" ", "-")


class Markdown:
    """Turns a page into HTML; links are given to a function that says where they lead."""

    def __init__(self, link):
        self.link = link

    def html(self, text):
        """The page's body."""
        text = re.sub(r"@Metadata \{.*?\n\}\n", "", text, flags=re.S)
        return "\n".join(self.blocks(text.split("\n")))

    def blocks(self, lines):
        """The blocks of some lines, one after the other."""
        place = 0
        while place < len(lines):
            line = lines[place]
            if not line.strip():
                place += 1
                continue
            take = self.rule(line)
            end = place + 1
            if take == self.fence:
                while end < len(lines) and not lines[end].startswith("```"):
                    end += 1
                end += 1
            elif take == self.code:
                while end < len(lines) and (lines[end].startswith("    ") or not lines[end].strip()):
                    end += 1
            elif take in (self.bullets, self.numbers):
                marker = r"- " if take == self.bullets else r"\d+\. "
                while end < len(lines) and self.is_in_list(lines, end, marker):
                    end += 1
            elif take == self.table:
                while end < len(lines) and lines[end].startswith("|"):
                    end += 1
            elif take == self.paragraph:
                while end < len(lines) and lines[end].strip() and self.rule(lines[end]) in (self.paragraph, self.code):
                    end += 1
            yield take(lines[place:end])
            place = end

    def rule(self, line):
        """What makes HTML of the block that begins with a line."""
        if line.startswith("```"):
            return self.fence
        if line.startswith("    "):
            return self.code
        if re.match(r"#{1,4} ", line):
            return self.heading
        if line.startswith("- "):
            return self.bullets
        if re.match(r"\d+\. ", line):
            return self.numbers
        return self.table if line.startswith("|") else self.paragraph

    @staticmethod
    def is_in_list(lines, place, marker):
        """Whether a line belongs to the list before it."""
        line = lines[place]
        if line.strip():
            return line.startswith("  ") or bool(re.match(marker, line))
        following = next((text for text in lines[place:] if text.strip()), "")
        return following.startswith("  ") or bool(re.match(marker, following))

    def fence(self, lines):
        """Code between fences."""
        return f"<pre><code>{html.escape(chr(10).join(lines[1:-1]))}</code></pre>"

    def code(self, lines):
        """Indented code."""
        text = "\n".join(line[4:] for line in lines).rstrip("\n")
        return f"<pre><code>{html.escape(text)}</code></pre>"

    def heading(self, lines):
        """A heading, with its name."""
        marks, _, title = lines[0].partition(" ")
        plain = re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", title)
        return f'<h{len(marks)} id="{slug(plain)}">{self.inline(title)}</h{len(marks)}>'

    def bullets(self, lines):
        """A list without numbers."""
        return f"<ul>{self.items(lines, r'- ')}</ul>"

    def numbers(self, lines):
        """A numbered list."""
        return f"<ol>{self.items(lines, r'[0-9]+[.] ')}</ol>"

    def items(self, lines, marker):
        """The items of a list, each of which may have blocks of its own."""
        items = []
        for line in lines:
            start = re.match(marker, line)
            if start:
                items.append([line[start.end():]])
            else:
                items[-1].append(re.sub(r"^ {1,4}", "", line) if line.startswith(" ") else line)
        return "".join(f"<li>{self.item(item)}</li>" for item in items)

    def item(self, lines):
        """One item; a single paragraph needs no tag of its own."""
        body = "\n".join(self.blocks(lines))
        only = re.fullmatch(r"<p>((?:(?!<p>).)*)</p>", body, re.S)
        return only.group(1) if only else body

    def table(self, lines):
        """A table with a head."""
        rows = [[cell.strip() for cell in re.split(r"(?<!\\)\|", line.strip().strip("|"))] for line in lines]
        head = "".join(f"<th>{self.inline(cell)}</th>" for cell in rows[0])
        body = "".join("<tr>" + "".join(f"<td>{self.inline(cell)}</td>" for cell in row) + "</tr>" for row in rows[2:])
        return f'<div class="wide"><table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table></div>'

    def paragraph(self, lines):
        """Running text."""
        return f"<p>{self.inline(' '.join(line.strip() for line in lines))}</p>"

    def inline(self, text):
        """Code, links and emphasis within a text."""
        kept = []

        def keep(markup):
            kept.append(markup)
            return f"\0{len(kept) - 1}\0"

        text = re.sub(r"(`+)(.+?)\1", lambda found: keep(f"<code>{html.escape(found.group(2))}</code>"), text)
        text = html.escape(text, quote=False)
        text = re.sub(
            r"\[([^\]]+)\]\(([^()\s]+)\)",
            lambda found: keep(f'<a href="{html.escape(self.link(html.unescape(found.group(2))))}">') + found.group(1)
            + "</a>", text)
        text = re.sub(r"\*\*(.+?)\*\*", r"<strong>\1</strong>", text)
        text = re.sub(r"(?<![*\w])\*([^*\s](?:[^*]*[^*\s])?)\*(?![*\w])", r"<em>\1</em>", text)
        while "\0" in text:
            text = re.sub("\0(\\d+)\0", lambda found: kept[int(found.group(1))], text)
        return text
