"""Writes shock_goldens.json: shock response spectra by endaq and cycles by rainflow, of signals that the
tests make again by the same formulas.

    pip install endaq rainflow && python make_shock_goldens.py
"""
import json
import endaq.calc.shock as shock, numpy as np, pandas as pd, rainflow

from signals import noise

fs, n = 10000.0, 3000
t = np.arange(n) / fs
x = 50 * np.sin(np.pi * np.clip((t - 0.05) / 0.011, 0, 1)) + noise(n)  # half a sine of 11 ms
freqs = [5.0, 12.5, 40, 90, 200, 450, 1000, 2300, 4100]
frame = pd.DataFrame(x, index=pd.Index(np.arange(n) / fs))
out = {}
for mode in "srs", "pvss":
    r = shock.shock_spectrum(frame, freqs=np.array(freqs), damp=0.05, mode=mode, two_sided=True, max_time=None)
    out[mode] = {"pos": r.pos.to_numpy().ravel().tolist(), "neg": r.neg.to_numpy().ravel().tolist()}
q = shock.shock_spectrum(frame, freqs=np.array(freqs), damp=0.01, max_time=None)
out["q50"] = q.to_numpy().ravel().tolist()
load = np.round(noise(400).cumsum() * 8)  # with plateaus
out["cycles"] = [list(map(float, c)) for c in rainflow.extract_cycles(load)]
out["standard"] = [list(map(float, c)) for c in rainflow.extract_cycles([-2, 1, -3, 5, -1, 3, -4, 4, -2])]  # the example of ASTM E1049
json.dump(out, open("shock_goldens.json", "w"), separators=(",", ":"))
