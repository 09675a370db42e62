import sys
import numpy as np, soundfile

if len(sys.argv) != 2:
    sys.exit("usage: twin.py RESPONSE < SAMPLES > FILTERED")
taps = soundfile.read(sys.argv[1], always_2d=True)[0][:, 0].astype(np.float32)
block = 128
parts = np.array([np.fft.rfft(taps[i : i + block], 2 * block) for i in range(0, len(taps), block)])
spectra = np.zeros_like(parts)
window = np.zeros(2 * block, np.float32)
while True:
    data = sys.stdin.buffer.read(4 * block)
    if not data:
        break
    x = np.frombuffer(data.ljust(4 * block, b"\0"), np.float32)
    window = np.concatenate([window[block:], x])
    spectra = np.roll(spectra, 1, 0)
    spectra[0] = np.fft.rfft(window)
    y = np.fft.irfft((parts * spectra).sum(0))[block:]
    sys.stdout.buffer.write(y.astype(np.float32).tobytes())
