"""Writes elementary.txt: arguments, and the exact results of the elementary
functions as the sum of two float64. Needs mpmath.

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


for name, (function, (low, high), inside) in FUNCTIONS.items():
    for x in arguments(low, high):
        if not inside(x):
            continue
        exact = function(mp.mpf(x))
        head = float(exact)
        if math.isinf(head):
            continue
        print(name, x.hex(), head.hex(), float(exact - mp.mpf(head)).hex())
