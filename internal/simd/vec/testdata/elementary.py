"""Writes elementary.txt: an argument, or two of pow, and the exact results of the
elementary functions as the sum of two float64. Needs mpmath.

    python3 elementary.py > elementary.txt
"""
import math
import random

import mpmath as mp

mp.mp.prec = 1400  # the largest arguments of sin need their integer part
random.seed(1)

FUNCTIONS = {
    # name: (function, where to look, domain)
    "exp": (mp.exp, (-745, 709.7), lambda x: abs(x) < 745),
    "expm1": (mp.expm1, (-40, 40), lambda x: abs(x) < 709),
    "log": (mp.log, (0.2, 3), lambda x: x > 0),
    "log1p": (mp.log1p, (-1, 3), lambda x: x > -1),
    "sin": (mp.sin, (-30, 30), lambda x: True),
    "cos": (mp.cos, (-30, 30), lambda x: True),
    "tan": (mp.tan, (-1.6, 1.6), lambda x: True),
    "tanh": (mp.tanh, (-20, 20), lambda x: abs(x) < 100),
    "sigmoid": (lambda x: 1 / (1 + mp.exp(-x)), (-740, 40), lambda x: abs(x) < 740),
}


def arguments(low, high):
    for _ in range(80):
        yield random.uniform(low, high)
        yield math.ldexp(random.gauss(0, 1), random.randrange(-60, 20))
    for _ in range(40):
        yield 1 + math.ldexp(random.gauss(0, 1), -random.randrange(50))
        yield random.randrange(1 << 19) * (math.pi / 2)
        yield math.ldexp(random.uniform(-2, 2), random.randrange(-1074, 1023))
    yield 6381956970095103 * 2.0**797  # the float64 nearest to a multiple of pi/2


def write(name, exact, *x):
    head = float(exact)
    if not math.isinf(head):
        print(name, *(v.hex() for v in (*x, head, float(exact - mp.mpf(head)))))


for name, (function, (low, high), inside) in FUNCTIONS.items():
    for x in arguments(low, high):
        if inside(x):
            write(name, function(mp.mpf(x)), x)

# Powers of any size, and of numbers near one and near the ends of an octave.
mp.mp.prec = 300
for i in range(100):
    for x in (
        math.ldexp(random.uniform(1, 2), random.randrange(-1074, 1023)),
        1 + math.ldexp(random.gauss(0, 1), -random.randrange(3, 50)),
        random.choice((0.5, 1, 2)) ** 0.5 * random.uniform(0.97, 1.03),
    ):
        if x != 1:
            y = random.uniform(-700, 700) / math.log(x)
            write("pow", mp.mpf(x) ** mp.mpf(y), x, y)
            y = random.gauss(0, 1)
            write("pow", mp.mpf(x) ** mp.mpf(y), x, y)
    x, n = random.gauss(0, 3), random.randrange(-40, 41)
    write("pow", mp.mpf(x) ** n, x, float(n))
