# SPDX-FileCopyrightText: the orderly authors
# SPDX-License-Identifier: BSD-2-Clause
"""Linear programs, solved by glpsol of Debian's glpk-utils."""
import subprocess


class Programs:
    """Many programs that know nothing of each other, solved as one: the sum
    of their targets is the greatest if each of them is."""

    def __init__(self):
        self.rows, self.binaries, self.targets = [], [], 0

    def add(self, target, rows, binaries=()):
        """`target` and the rows are sums of (factor, name); a row has a
        relation and a number behind its sum. The number of the program."""
        k = self.targets
        self.targets += 1
        own = [(f, f"{x}_{k}") for f, x in target]
        self.rows.append((own + [(-1, f"t_{k}")], "=", 0))
        self.rows += [([(f, f"{x}_{k}") for f, x in terms], how, most)
                      for terms, how, most in rows]
        self.binaries += [f"{x}_{k}" for x in binaries]
        return k

    def greatest(self, path):
        """The target of each."""
        def total(terms):
            return " ".join(f"{'+' if f >= 0 else '-'} {abs(f)} {x}"
                            for f, x in terms)
        names = [f"t_{k}" for k in range(self.targets)]
        with open(path, "w") as f:
            f.write("Maximize\n all: " + "\n + ".join(names))
            f.write("\nSubject To\n" + "\n".join(
                f" {total(terms)} {how} {most}"
                for terms, how, most in self.rows if terms))
            f.write("\nBounds\n" + "\n".join(f" {x} free" for x in names))
            if self.binaries:
                f.write("\nBinary\n" + "\n".join(f" {x}"
                                                 for x in self.binaries))
            f.write("\nEnd\n")
        done = subprocess.run(["glpsol", "--lp", path, "-w", path + ".out"],
                              capture_output=True, text=True)
        with open(path + ".out") as f:
            rows = [x.split() for x in f]
        # "s bas ROWS COLUMNS f f TARGET", or "s mip ROWS COLUMNS o TARGET";
        # a column's value stands behind its status.
        state = next(x for x in rows if x[0] == "s")
        assert state[4] in "of", done.stdout
        columns = [x for x in rows if x[0] == "j"]
        value = 2 if state[1] == "mip" else 3
        return [float(columns[k][value]) for k in range(self.targets)]
