"""Makes the small files of audio/mp3 and audio/vorbis, and what libsndfile decodes from them.

Needs numpy and soundfile (libsndfile 1.1 or newer). Run in this folder.
"""
import numpy as np
import soundfile as sf

rate = 22050
t = np.arange(6000) / rate
x = 0.5 * np.sin(2 * np.pi * 440 * t) + 0.05 * np.random.default_rng(1).standard_normal(len(t))
y = 0.4 * np.sin(2 * np.pi * 660 * t * (1 + t))
for name, samples, r in [("stereo", np.stack([x, y], 1), 44100), ("mono", x, rate)]:
    for folder, ext, kind in [(".", "mp3", {"format": "MP3"}), ("../../vorbis/testdata", "ogg", {"format": "OGG", "subtype": "VORBIS"})]:
        path = f"{folder}/{name}.{ext}"
        sf.write(path, samples, r, **kind)
        decoded, _ = sf.read(path, dtype="float32", always_2d=True)
        np.save(f"{folder}/{name}.npy", np.clip(np.round(decoded * 32768), -32768, 32767).astype(np.int16))
        print(path, decoded.shape)
