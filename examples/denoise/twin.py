import sys
import numpy as np
import soundfile as sf

NFFT, HOP = 1024, 256
window = np.sin(np.pi * np.arange(NFFT) / NFFT) ** 2

def denoise(source, target):
    rate, channels = sf.info(source).samplerate, sf.info(source).channels
    chunk = int(rate / 2 / HOP) * HOP
    noise, sums, late = None, np.zeros((NFFT, channels)), NFFT // 2
    with sf.SoundFile(target, "w", rate, channels) as f:
        before = np.zeros((NFFT // 2, channels))
        for block in sf.blocks(source, chunk, always_2d=True, fill_value=0):
            block = np.concatenate([before, block])
            before = block[len(block) - NFFT + HOP :]
            frames = np.lib.stride_tricks.sliding_window_view(block, NFFT, 0)[::HOP]
            z = np.fft.rfft(frames * window)
            power = abs(z) ** 2
            if noise is None:
                noise = power.mean(0)
            gain = np.maximum(1 - 3 * noise / (power + 1e-12), 0.05)
            y = np.fft.irfft(z * gain) * window / 1.5
            out = np.zeros((len(block), channels))
            out[: NFFT - HOP] = sums[: NFFT - HOP]
            for i, frame in enumerate(y):
                out[i * HOP : i * HOP + NFFT] += frame.T
            done = len(block) - NFFT + HOP
            f.write(out[late:done])
            sums, late = out[done:], 0
        f.write(sums)
        f.truncate(sf.info(source).frames)

def melody(rate):
    t = np.arange(-0.5, 2, 1 / rate)
    note = np.array([262, 330, 392, 523])[(2 * np.maximum(t, 0)).astype(int)]
    tone = 0.3 * np.exp(-4 * (t % 0.5)) * np.sin(2 * np.pi * note * t)
    return np.where(t < 0, 0, tone) + 0.02 * np.random.default_rng(1).normal(size=len(t))

names = sys.argv[1:]
if len(names) != 2:
    names = ["noisy.wav", "clean.wav"]
    sf.write(names[0], melody(16000), 16000)
denoise(*names)
print("wrote", names[1])
