"""Makes an archive of synthetic sound:  python3 make_archive.py FOLDER HOURS [RATE]

16-bit mono WAV files of an hour: pink-like noise whose level goes up and down
over the day, a ship's tones, and clicks. The same hour is the same everywhere.
"""

import datetime
import os
import struct
import sys

import numpy as np

folder, hours = sys.argv[1], int(sys.argv[2])
rate = int(sys.argv[3]) if len(sys.argv) > 3 else 48000
os.makedirs(folder, exist_ok=True)
start = datetime.datetime(2024, 3, 1)
rng = np.random.default_rng(1)
n = 1 << 19
spectrum = np.fft.rfft(rng.standard_normal(n))
spectrum[1:] /= np.sqrt(np.arange(1, n // 2 + 1))
spectrum[0] = 0
noise = np.fft.irfft(spectrum).astype(np.float32)
noise /= noise.std()
for hour in range(hours):
    at = start + datetime.timedelta(hours=hour)
    with open(os.path.join(folder, f"deep_{at:%Y%m%dT%H%M%S}Z.wav"), "wb") as f:
        size = rate * 3600 * 2
        f.write(b"RIFF" + struct.pack("<I", 36 + size) + b"WAVEfmt " + struct.pack("<IHHIIHH", 16, 1, 1, rate, rate * 2, 2, 16) + b"data" + struct.pack("<I", size))
        for minute in range(60):
            day = (hour * 60 + minute) / 1440
            m = rate * 60
            x = np.resize(np.roll(noise, rng.integers(n)), m) * np.float32(600 * (1 + 0.8 * np.sin(2 * np.pi * day)))
            ship = np.float32(900 * np.exp(-((day * 24 % 6 - 3) ** 2) * 3))
            t = np.arange(rate, dtype=np.float32) / rate
            tone = np.resize(sum(np.sin(2 * np.pi * f * t) for f in (63, 126, 189, 441)).astype(np.float32), m)
            x += ship * tone
            x += rng.integers(-40, 40, m, dtype=np.int16)
            f.write(x.clip(-32768, 32767).astype("<i2").tobytes())
