import sys
import numpy as np, soundfile
from scipy.signal import find_peaks, welch

if len(sys.argv) != 2:
    sys.exit("usage: twin.py FILE")
x, rate = soundfile.read(sys.argv[1], always_2d=True)
f, power = welch(x.T, rate, nperseg=4096)
for c, p in enumerate(power):
    peaks, _ = find_peaks(p, distance=8)
    for k in sorted(peaks, key=lambda k: -p[k])[:3]:
        a, b, d = np.log(p[k - 1 : k + 2])
        at = k + (a - d) / (a - 2 * b + d) / 2
        print("channel %d: %8.1f Hz, %6.1f dB" % (c, at * f[1], 10 * np.log10(p[k])))
