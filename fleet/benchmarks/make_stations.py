"""Makes a day of noise at stations:  python3 make_stations.py FOLDER [STATIONS]

One .npy file of float32 for each station, 20 Hz: noise of its own, and a wave
that passes the stations one after another, so that pairs have something in
common.
"""

import os
import sys

import numpy as np

folder = sys.argv[1]
stations = int(sys.argv[2]) if len(sys.argv) > 2 else 64
os.makedirs(folder, exist_ok=True)
rng = np.random.default_rng(2)
n = 20 * 86400
wave = rng.standard_normal(n + 40 * stations).astype(np.float32)
for i in range(stations):
    own = rng.standard_normal(n, dtype=np.float32)
    at = 40 * (stations - i) - 40
    np.save(os.path.join(folder, f"s{i:02}_20240301T000000.npy"), own + np.float32(0.5) * wave[at:at + n])
