"""Writes beat_goldens.json: the onsets, tempo, beats and parts between silences that librosa
finds in signals that the tests make again by the same formulas.

    pip install librosa && python make_beat_goldens.py
"""
import json
import numpy as np, librosa

from signals import noise

def drums(n, fs, bpm):
    """Silence, then bursts of noise and of a tone at a tempo, every second one weaker."""
    x = 1e-4 * noise(n)
    burst = noise(fs // 10)
    k = 0
    while True:
        at = int(fs * (0.7 + k * 60 / bpm))
        if at + len(burst) > n - fs:
            return x
        i = np.arange(len(burst))
        x[at : at + len(burst)] += (1 - 0.6 * (k % 2)) * np.exp(-i / 300) * (burst + 0.5 * np.sin(2 * np.pi * (300 + 40 * k) * i / fs))
        k += 1

out = {}
for name, fs, n, bpm, hop in [("drums", 22050, 10 * 22050, 104, 512), ("slow", 16000, 9 * 16000, 72, 256)]:
    x = drums(n, fs, bpm)
    tempo, beats = librosa.beat.beat_track(y=x, sr=fs, hop_length=hop, units="time")
    _, every = librosa.beat.beat_track(y=x, sr=fs, hop_length=hop, units="time", trim=False, bpm=2 * bpm)
    onsets = librosa.onset.onset_detect(y=x, sr=fs, hop_length=hop, units="time")
    back = librosa.onset.onset_detect(y=x, sr=fs, hop_length=hop, units="time", backtrack=True)
    two = np.stack([np.roll(x, -fs // 2), 0.5 * x])
    _, trim = librosa.effects.trim(two, top_db=40)
    split = librosa.effects.split(x, top_db=20, frame_length=1024, hop_length=hop)
    out[name] = {"trim": trim.tolist(), "split": split.tolist(), "fs": fs, "n": n, "bpm": bpm, "hop": hop, "tempo": float(np.atleast_1d(tempo)[0]), "beats": beats.tolist(),
                 "every": every.tolist(), "onsets": onsets.tolist(), "back": back.tolist()}
json.dump(out, open("beat_goldens.json", "w"), indent=0)
