import numpy as np
from scipy.signal import find_peaks, get_window, lombscargle, zoom_fft

rate, n, points = 1000, 4000, 2000
t = np.arange(n) / rate
tone = lambda hz: np.sin(2 * np.pi * hz * t)
x = (tone(100.2) + 0.5 * tone(101.1)) * get_window("hann", n)
fine = abs(zoom_fft(x, [98, 103], points, fs=rate))
for p in find_peaks(fine, prominence=100)[0]:
    print("tone at %.2f Hz" % (98 + 5 * p / points))
nights = 365 * np.random.rand(150)
light = np.sin(2 * np.pi / 3.7 * nights) + np.random.randn(150)
periods = np.linspace(2, 6, 4000)
power = lombscargle(nights, light, 2 * np.pi / periods, floating_mean=True)
print("period of %.2f days" % periods[np.argmax(power)])
