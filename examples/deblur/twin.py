import sys
import numpy as np
from PIL import Image

def spread(h, w, sigma):
    square = lambda n: np.fft.fftfreq(n, 1 / n) ** 2
    g = np.exp(-(square(h)[:, None] + square(w)) / (2 * sigma * sigma))
    return g / g.sum()

def save(name, x):
    Image.fromarray((x.clip(0, 1) * 255 + 0.5).astype(np.uint8)).save(name)

if len(sys.argv) > 1:
    blurred = np.asarray(Image.open(sys.argv[1]).convert("L")) / 255
else:
    i = np.arange(256) // 32
    tiles = (i[:, None] + i) % 2
    blurred = np.fft.irfft2(np.fft.rfft2(tiles) * np.fft.rfft2(spread(256, 256, 3)), (256, 256))
    save("blurred.png", blurred)
psf = np.fft.rfft2(spread(*blurred.shape, 3))
wiener = psf.conj() / (abs(psf) ** 2 + 1e-4)
save("sharp.png", np.fft.irfft2(np.fft.rfft2(blurred) * wiener, blurred.shape))
