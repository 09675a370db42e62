import sys
import numpy as np, soundfile

rate = 48000
x = np.random.randn(48000)
pair = np.stack([np.roll(x, 37) + 0.3 * np.random.randn(48000), x])
if len(sys.argv) > 1:
    data, rate = soundfile.read(sys.argv[1])
    pair = data.T
n, most, up = 2 * pair.shape[1], rate // 100, 4
z = np.fft.rfft(pair[0], n) * np.fft.rfft(pair[1], n).conj()
c = np.fft.irfft(z / np.maximum(abs(z), 1e-12), up * n)
c = np.concatenate([c[-up * most :], c[: up * most + 1]])
late = (np.argmax(c) - up * most) / (up * rate)
print("channel 0 is %.3f ms later than channel 1" % (1000 * late))
