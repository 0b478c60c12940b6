"""The tables that are printed at the end."""


class Report:
    """Collects figures as they are measured."""

    def __init__(self):
        self.notes, self.rows, self.judged, self.grown = [], [], [], []

    def note(self, sentence):
        self.notes.append(sentence)

    def times(self, task, contenders, mine):
        """What each took, and how many times that the program took of it."""
        for contender in contenders:
            ratio = "" if contender is mine else f"{mine.ratio(contender):.2f}"
            processor = "" if contender is mine else f"{mine.processor_ratio(contender):.2f}"
            memory = f"{contender.peak_bytes / 2**20:.0f}"
            seconds = (f"{contender.seconds:.3f}", f"{contender.processor_seconds:.3f}")
            self.rows.append((task, contender.name, *seconds, ratio, processor, memory))

    def ratio(self, task, against, ratio, target, mine="", its="", at_least=False):
        amounts = f" ({mine} : {its})" if mine else ""
        self.judge(task, f"{against}{amounts}", f"{ratio:.2f}", ratio, target, "", at_least)

    def figure(self, task, what, value, limit, unit):
        self.judge(task, what, f"{value:.1f} {unit}", value, limit, f" {unit}", False)

    def growth(self, wallet, store, archive, contenders):
        """What each task took with one wallet."""
        for contender in contenders:
            seconds = (f"{contender.seconds:.3f}", f"{contender.processor_seconds:.3f}")
            memory = f"{contender.peak_bytes / 2**20:.0f}"
            sizes = (f"{store / 1e6:.1f}", f"{archive / 1e6:.1f}")
            self.grown.append((wallet, contender.name, *seconds, memory, *sizes))

    def judge(self, task, what, shown, value, target, unit, at_least):
        if target is None:
            self.judged.append((task, what, shown, "", ""))
            return
        passes = value >= target if at_least else value <= target
        asked = f"{'≥' if at_least else '≤'} {target}{unit}"
        self.judged.append((task, what, shown, asked, "reached" if passes else "**falls short**"))

    def print(self):
        for note in self.notes:
            print(f"- {note}")
        print()
        self.table(
            ("task", "by", "seconds", "processor s", "ours : its", "processor", "peak MiB"), self.rows
        )
        self.table(("task", "against", "reached", "target", ""), self.judged)
        heads = ("wallet", "task", "seconds", "processor s", "peak MiB", "store MB", "archive MB")
        self.table(heads, self.grown)

    @staticmethod
    def table(heads, rows):
        if not rows:
            return
        print(f"| {' | '.join(heads)} |")
        print("|---" * len(heads) + "|")
        for row in rows:
            print(f"| {' | '.join(cell.replace('|', chr(92) + '|') for cell in row)} |")
        print()
