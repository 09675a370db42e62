"""Writes grad_goldens.json: gradients as PyTorch computes them, above all of
complex numbers, where the convention matters, and of transforms.

Run from anywhere with PyTorch installed:

    python3 nd/testdata/make_grad_goldens.py

Each case is named after the row of the table in nd/grad_golden_test.go that has
to reproduce it from the same inputs.
"""

import json
import pathlib

import torch

torch.manual_seed(7)
x = torch.rand(3, 8, dtype=torch.float64) - 0.5
z = torch.complex(torch.rand(3, 5, dtype=torch.float64), torch.rand(3, 5, dtype=torch.float64)) - (0.5 + 0.5j)
signal = torch.rand(40, dtype=torch.float64) - 0.5
m = torch.rand(4, 3, dtype=torch.float64)
inputs = dict(x=x, z=z, signal=signal, m=m)

hann = torch.hann_window(16, dtype=torch.float64)
cases = {
    "complex modulus squared": ("z", lambda z: (z * z.conj()).real.sum()),
    "complex modulus": ("z", lambda z: z.abs().sum()),
    "complex angle": ("z", lambda z: z.angle().square().sum()),
    "complex exp": ("z", lambda z: (z.exp().real + 2 * z.exp().imag).sum()),
    "complex division": ("z", lambda z: ((1 + 2j) / z).abs().log().sum()),
    "complex product": ("z", lambda z: z.prod().abs()),
    "complex matmul": ("z", lambda z: (z @ z.T.conj()).abs().sum()),
    "rfft": ("x", lambda x: torch.fft.rfft(x).abs().sum()),
    "rfft of odd length": ("x", lambda x: torch.fft.rfft(x, n=7).abs().log().sum()),
    "rfft with zeros": ("x", lambda x: torch.fft.rfft(x, n=11, norm="ortho").abs().square().sum()),
    "irfft of odd length": ("z", lambda z: torch.fft.irfft(z, n=9).square().sum()),
    "irfft of even length": ("z", lambda z: torch.fft.irfft(z, n=8, norm="forward").abs().sum()),
    "irfft cut": ("z", lambda z: torch.fft.irfft(z, n=5).square().sum()),
    "hfft": ("z", lambda z: torch.fft.hfft(z, n=7).square().sum()),
    "fft2": ("z", lambda z: torch.fft.fft2(z).abs().sum()),
    "stft": ("signal", lambda s: torch.stft(s, 16, 4, window=hann, center=False, return_complex=True).abs().clamp(min=1e-8).log().sum()),
    "cumprod": ("m", lambda m: m.cumprod(0).square().sum()),
    "prod": ("m", lambda m: m.prod(1).square().sum()),
    "logsumexp": ("m", lambda m: m.logsumexp(0).square().sum()),
    "sort": ("m", lambda m: (m.sort(0).values * torch.arange(12, dtype=torch.float64).reshape(4, 3)).sum()),
    "softmax": ("m", lambda m: (m.softmax(1) * torch.arange(12, dtype=torch.float64).reshape(4, 3)).sum()),
}


def encode(a):
    return dict(dtype=str(a.dtype).removeprefix("torch."), shape=list(a.shape),
                values=(torch.view_as_real(a) if a.is_complex() else a).flatten().tolist())


def gradient(name, f):
    a = inputs[name].clone().requires_grad_()
    f(a).backward()
    return encode(a.grad)


out = dict(torch=torch.__version__, inputs={k: encode(v) for k, v in inputs.items()},
           cases={k: gradient(name, f) for k, (name, f) in cases.items()})
path = pathlib.Path(__file__).parent / "grad_goldens.json"
path.write_text(json.dumps(out, indent=0) + "\n")
