# SPDX-FileCopyrightText: the orderly authors
# SPDX-License-Identifier: BSD-2-Clause
"""Plots of bench.py as SVG: no library is needed."""
import math
import os

WIDTH, HEIGHT = 640, 400
LEFT, RIGHT, TOP, BOTTOM = 70, 20, 40, 50
COLOURS = ["#1b6ca8", "#c8553d"]


class Plot:
    """Lines of points over two axes, each linear or logarithmic."""

    def __init__(self, title, x_title, y_title, log_x, log_y):
        self.titles = (title, x_title, y_title)
        self.log = (log_x, log_y)
        self.lines = []

    def add(self, name, points, dots=False):
        self.lines.append((name, points, dots))

    def value(self, axis, x):
        return math.log10(x) if self.log[axis] else x

    def ends(self, axis):
        values = [self.value(axis, p[axis]) for _, ps, _ in self.lines
                  for p in ps]
        low, high = min(values), max(values)
        if self.log[axis]:
            return math.floor(low), math.ceil(high)
        return min(0, low), high or 1

    def ticks(self, axis):
        low, high = self.ends(axis)
        if self.log[axis]:
            return [10 ** k for k in range(int(low), int(high) + 1)]
        step = 10 ** math.floor(math.log10(high - low))
        while (high - low) / step < 4:
            step /= 2
        return [k * step for k in range(int(high / step) + 1)]

    def place(self, point):
        result = []
        for axis, size, offset, other in ((0, WIDTH, LEFT, RIGHT),
                                          (1, HEIGHT, BOTTOM, TOP)):
            low, high = self.ends(axis)
            part = (self.value(axis, point[axis]) - low) / (high - low)
            length = size - offset - other
            result.append(offset + part * length if axis == 0
                          else HEIGHT - offset - part * length)
        return result

    def text(self, x, y, text, anchor="middle", more=""):
        return (f'<text x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}"'
                f'{more}>{text}</text>')

    def axes(self):
        title, x_title, y_title = self.titles
        out = [self.text(WIDTH / 2, 22, title, more=' font-weight="bold"'),
               self.text((LEFT + WIDTH - RIGHT) / 2, HEIGHT - 10, x_title),
               self.text(16, HEIGHT / 2, y_title,
                         more=f' transform="rotate(-90 16 {HEIGHT / 2})"')]
        for x in self.ticks(0):
            px = self.place((x, 10 ** self.ends(1)[0] if self.log[1] else 0))[0]
            out.append(f'<line x1="{px:.1f}" x2="{px:.1f}" y1="{TOP}" '
                       f'y2="{HEIGHT - BOTTOM}" stroke="#ddd"/>')
            out.append(self.text(px, HEIGHT - BOTTOM + 16, f"{x:g}"))
        for y in self.ticks(1):
            py = self.place((10 ** self.ends(0)[0] if self.log[0] else 0, y))[1]
            out.append(f'<line y1="{py:.1f}" y2="{py:.1f}" x1="{LEFT}" '
                       f'x2="{WIDTH - RIGHT}" stroke="#ddd"/>')
            out.append(self.text(LEFT - 6, py + 4, f"{y:g}", "end"))
        return out

    def svg(self):
        out = [f'<svg xmlns="http://www.w3.org/2000/svg" width="{WIDTH}" '
               f'height="{HEIGHT}" font-family="sans-serif" font-size="12">',
               f'<rect width="{WIDTH}" height="{HEIGHT}" fill="white"/>']
        out += self.axes()
        for k, (name, points, dots) in enumerate(self.lines):
            colour = COLOURS[k % len(COLOURS)]
            placed = [self.place(p) for p in points]
            path = " ".join(f"{x:.1f},{y:.1f}" for x, y in placed)
            out.append(f'<polyline points="{path}" fill="none" '
                       f'stroke="{colour}" stroke-width="2"/>')
            if dots:
                out += [f'<circle cx="{x:.1f}" cy="{y:.1f}" r="4" '
                        f'fill="{colour}"/>' for x, y in placed]
            out.append(f'<rect x="{LEFT + 12}" y="{TOP + 8 + 18 * k}" '
                       f'width="12" height="12" fill="{colour}"/>')
            out.append(self.text(LEFT + 30, TOP + 18 + 18 * k, name, "start"))
        return "\n".join(out + ["</svg>"]) + "\n"

    def write(self, folder, name):
        os.makedirs(folder, exist_ok=True)
        with open(os.path.join(folder, name), "w") as f:
            f.write(self.svg())


def thinned(points, most=400):
    step = max(1, len(points) // most)
    return points[::step] + points[-1:]


def draw_growth(folder, growth):
    plot = Plot("CPU of a fast plan", "nodes x instances", "seconds", True,
                True)
    for kind, (points, exponent) in growth.items():
        plot.add(f"{kind}: exponent {exponent:.2f}", points, dots=True)
    plot.write(folder, "planning-growth.svg")


def draw_curve(folder, kind, lines):
    plot = Plot(f"{kind}, 80 nodes, 700 instances", "moves", "score",
                False, True)
    for name, points in zip(("plans of so many moves: the reference",
                             "plans of so many moves: ours, fast"), lines):
        plot.add(name, thinned(points))
    plot.write(folder, f"planning-score-{kind}.svg")
