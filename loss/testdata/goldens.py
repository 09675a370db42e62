"""Makes goldens.json: values and gradients of losses by auraloss and torch.

    pip install torch auraloss librosa && python3 goldens.py

Made with torch 2.15.0, auraloss 0.4.0 and librosa, in float64. The signals are
those of the function noise, which the tests have, too.
"""

import json

import auraloss
import librosa
import torch
import torch.nn.functional as F

torch.set_default_dtype(torch.float64)


def noise(seed, *shape):
    """Numbers in [-0.5, 0.5) by a linear congruential generator."""
    out, state = [], seed
    for _ in range(torch.Size(shape).numel()):
        state = (state * 1664525 + 1013904223) % 2**32
        out.append((state >> 8) / 2**24 - 0.5)
    return torch.tensor(out).reshape(shape)


def frame(size=64, hop=1, distance="l2", scale="linear", eps=1e-8, window=None, reduction="mean"):
    w = torch.hann_window(size, periodic=False) if window is None else window

    def level(z):
        if scale == "log":
            return torch.log(z.abs() + eps)
        if scale == "smooth":
            return 0.5 * torch.log(z.real**2 + z.imag**2 + eps**2)
        return z.abs()

    def spectra(a):
        return torch.fft.rfft(F.pad(a, (size - 1, 0)).unfold(-1, size, hop) * w)

    def loss(x, y):
        d = level(spectra(x)) - level(spectra(y))
        frames = (d**2 if distance == "l2" else d.abs()).sum(-1)
        return {"none": frames, "item": frames.sum(-1), "sum": frames.sum(), "mean": frames.sum(-1).mean()}[reduction]

    return loss


def ddsp(sizes=(2048, 1024, 512, 256, 128, 64), lin=1.0, log=0.0):
    def magnitudes(a, n):
        hop = n // 4
        frames = -(-a.shape[-1] // hop)
        a = F.pad(a, (0, max(0, (frames - 1) * hop + n - a.shape[-1])))
        return torch.fft.rfft(a.unfold(-1, n, hop) * torch.hann_window(n)).abs()

    def loss(x, y):
        total = 0
        for n in sizes:
            a, b = magnitudes(x, n), magnitudes(y, n)
            total = total + lin * (a - b).abs().mean()
            total = total + log * (a.clamp(min=1e-5).log() - b.clamp(min=1e-5).log()).abs().mean()
        return total

    return loss


def aura(module):
    return lambda x, y: module(x.unsqueeze(1), y.unsqueeze(1))


def items(module):
    """Each item by itself, in a row: what couples a batch does not couple items."""
    return lambda x, y: torch.stack([aura(module)(a[None], b[None]) for a, b in zip(x, y)])


def mel(**options):
    m = auraloss.freq.MelSTFTLoss(**options)
    bank = librosa.filters.mel(sr=options["sample_rate"], n_fft=options["fft_size"], n_mels=options["n_mels"], dtype=float)
    m.fb = torch.tensor(bank).unsqueeze(0)
    return m


stft = dict(fft_size=64, hop_size=20, win_length=50)
S = auraloss.freq.STFTLoss
T = auraloss.time
cases = {
    "frame": ((2, 100), frame()),
    "frame l1": ((2, 100), frame(distance="l1")),
    "frame log": ((2, 100), frame(scale="log")),
    "frame log l1": ((2, 100), frame(scale="log", distance="l1", eps=1e-3)),
    "frame smooth": ((2, 100), frame(scale="smooth")),
    "frame smooth l1": ((2, 100), frame(scale="smooth", distance="l1", eps=1e-2)),
    "frame 33 hop 5": ((3, 80), frame(size=33, hop=5, window=torch.hamming_window(33, periodic=True))),
    "frame sum": ((2, 3, 40), frame(size=16, reduction="sum")),
    "frame item": ((2, 3, 40), frame(size=16, reduction="item")),
    "frame none": ((2, 40), frame(size=16, hop=3, reduction="none")),
    "stft": ((2, 200), aura(S(**stft))),
    "stft defaults": ((2, 1500), aura(S())),
    # A window of odd length: an even one makes frame 0 real, and its phases noise.
    "stft lin phase": ((2, 200), aura(S(fft_size=64, hop_size=20, win_length=49, w_sc=0.5, w_log_mag=2, w_lin_mag=3, w_phs=0.25))),
    "stft l2": ((2, 200), aura(S(**stft, mag_distance="L2", w_lin_mag=1))),
    "stft sum": ((2, 200), aura(S(**stft, reduction="sum"))),
    "stft none": ((2, 200), aura(S(**stft, reduction="none"))),
    "stft item": ((3, 200), items(S(**stft))),
    "stft per item": ((3, 200), lambda x, y: items(S(**stft))(x, y).mean()),
    "stft scale invariant": ((1, 200), aura(S(**stft, scale_invariance=True))),
    "stft hamming": ((2, 200), aura(S(**stft, window="hamming_window"))),
    "multi resolution": ((2, 1100), aura(auraloss.freq.MultiResolutionSTFTLoss())),
    "mel": ((2, 400), aura(mel(sample_rate=8000, fft_size=128, hop_size=32, win_length=128, n_mels=12))),
    "multi scale": ((2, 700), ddsp()),
    "multi scale log": ((2, 300), ddsp((128, 64), 0.5, 1.0)),
    "sisdr": ((3, 60), aura(T.SISDRLoss())),
    "sisdr keep dc": ((3, 60), aura(T.SISDRLoss(zero_mean=False))),
    "sdr": ((3, 60), aura(T.SNRLoss())),
    "sdr scaled": ((3, 60), aura(T.SDSDRLoss())),
    "sdr sum": ((3, 60), aura(T.SNRLoss(reduction="sum"))),
    "esr": ((3, 60), aura(T.ESRLoss())),
    "esr item": ((3, 60), lambda x, y: aura(T.ESRLoss(reduction="none"))(x, y)[:, 0]),
    "dc": ((3, 60), aura(T.DCLoss())),
    "log cosh": ((3, 60), aura(T.LogCoshLoss())),
    "log cosh 5": ((3, 60), aura(T.LogCoshLoss(a=5))),
}

out = []
for name, (shape, loss) in cases.items():
    x, y = noise(1, *shape).requires_grad_(), noise(2, *shape).requires_grad_()
    value = loss(x, y)
    # What has several numbers is summed with weights 1, 2, ... for the gradient.
    (value.flatten() * torch.arange(1, value.numel() + 1)).sum().backward()

    def numbers(a):
        return [float(f"{v:.10g}") for v in a.detach().flatten().tolist()]

    out.append({"name": name, "shape": list(shape), "value_shape": list(value.shape), "value": numbers(value),
                "grad_x": numbers(x.grad), "grad_y": numbers(y.grad)})

with open("goldens.json", "w") as f:
    f.write("[\n" + ",\n".join(json.dumps(c, separators=(",", ":")) for c in out) + "\n]\n")
