"""The noise of the golden cases, which the tests make again."""

import numpy as np


def noise(n):
    """A linear congruential generator, the same everywhere."""
    x = np.empty(n)
    s = 1
    for i in range(n):
        s = (s * 6364136223846793005 + 1442695040888963407) % 2**64
        x[i] = (s >> 11) / 2**53 - 0.5
    return x
