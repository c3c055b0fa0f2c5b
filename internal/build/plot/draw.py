"""Runs plot.py of the working folder and keeps what it draws. A before.py that is
there runs first, and plot.py has its names.

Each figure becomes one picture, ../out/NN.png: the file that it was last saved to
where that is a PNG or a JPEG, and else what it looks like when it is saved as
another format, shown, or still open at the end. A figure of plotly that is shown or
written becomes ../out/NN.html, a part of a page that needs plotly's script.

This is no boundary: what a program does to it harms its own pictures alone.
"""

import os
import random
import re
import shutil
import sys
import traceback

OUT = os.path.abspath(os.path.join("..", "out"))
MOST = 8  # pictures that are kept
numbers = {}  # of figures, by what identifies them; the figure is kept alive with its number


def place(figure, suffix):
    """The file of a figure; None for one too many."""
    number = numbers.setdefault(id(figure), (len(numbers) + 1, figure))[0]
    return os.path.join(OUT, "%02d%s" % (number, suffix)) if number <= MOST else None


def watch_matplotlib():
    import matplotlib
    from matplotlib import pyplot
    from matplotlib.figure import Figure

    plain = Figure.savefig

    def keep(figure, **how):
        target = place(figure, ".png")
        if target:
            how.pop("format", None)
            plain(figure, target, format="png", **how)

    def savefig(figure, fname, *args, **how):
        plain(figure, fname, *args, **how)
        name = os.fspath(fname) if isinstance(fname, (str, os.PathLike)) else ""
        kind = how.get("format") or os.path.splitext(name)[1].lstrip(".") or matplotlib.rcParams["savefig.format"]
        if name and not os.path.splitext(name)[1]:
            name += "." + kind
        target = place(figure, ".png")
        if target and kind.lower() in ("png", "jpg", "jpeg") and os.path.isfile(name):
            shutil.copyfile(name, target)
        else:
            keep(figure, **{k: v for k, v in how.items() if k in ("bbox_inches", "pad_inches", "facecolor", "transparent")})

    def show(*args, **how):
        for number in pyplot.get_fignums():
            figure = pyplot.figure(number)
            if id(figure) not in numbers:
                keep(figure)
        pyplot.close("all")

    Figure.savefig, pyplot.show = savefig, show
    Figure.show = lambda figure, *args, **how: keep(figure)
    return show


def watch_plotly():
    from plotly import graph_objects, io, offline

    def keep(figure, *args, **how):
        figure = graph_objects.Figure(figure)
        target = place(figure, ".html")
        if target:
            part = io.to_html(figure, include_plotlyjs=False, full_html=False, default_height="100vh")
            for name in re.findall(r'id="([0-9a-f-]{36})"', part)[:1]:  # chosen by chance
                part = part.replace(name, "plot")
            with open(target, "w", encoding="utf-8") as f:
                f.write(part)

    io.show = io.write_html = io.write_image = offline.plot = offline.iplot = keep


def make_repeatable():
    """Chance without a seed is the same in every run."""
    import numpy

    random.seed(0)
    numpy.random.seed(0)
    plain = numpy.random.default_rng
    numpy.random.default_rng = lambda seed=None: plain(0 if seed is None else seed)


def program(name):
    with open(name, encoding="utf-8") as f:
        source = f.read()
    if "plotly" in source:
        watch_plotly()
    try:
        return compile(source, name, "exec")
    except SyntaxError:
        # Commands of a notebook, such as %matplotlib inline, are no Python.
        lines = ["#" + line if line.lstrip()[:1] in ("%", "!") else line for line in source.split("\n")]
        return compile("\n".join(lines), name, "exec")


def main():
    sys.path[0] = os.getcwd()
    sys.argv = ["plot.py"]
    finish = watch_matplotlib()
    make_repeatable()
    try:
        names = {"__name__": "__main__", "__file__": "plot.py", "__builtins__": __builtins__}
        if os.path.exists("before.py"):
            exec(program("before.py"), names)
        exec(program("plot.py"), names)
    except SystemExit as end:
        if end.code not in (None, 0):
            raise
    except BaseException as error:
        trace = error.__traceback__.tb_next  # without the line above
        traceback.print_exception(type(error), error, trace)
        sys.stderr.flush()
        os._exit(1)
    finish()


main()
