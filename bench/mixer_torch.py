"""The mixer block in PyTorch, to be measured beside Twiddle's.

`twiddle bench mixer --peer bench/mixer_torch.py` starts it and takes turns with
it: the first line of standard input describes the work as JSON, every other is
"forward N" or "train N", answered by "done" after N repetitions.

    python3 bench/mixer_torch.py --check mixer/testdata/goldens.json

compares it with the block in NumPy that Twiddle's tests use.
"""

import json
import math
import sys

import torch

torch.manual_seed(1)


class Block:
    def __init__(self, width, length, order=16, layers=2, embedding=3, frequency=10.0, bidirectional=False,
                 residual=False, centred=None, dtype=torch.float32, device="cpu"):
        self.d, self.length, self.layers, self.emb = width, length, layers, embedding
        self.bidirectional, self.residual = bidirectional, residual
        self.centred = bidirectional if centred is None else centred
        self.p = {}

        def uniform(name, inputs, *shape):
            self.p[name] = ((torch.rand(*shape, dtype=dtype) * 2 - 1) / math.sqrt(inputs)).to(device).requires_grad_()

        d = width
        uniform("in.weight", d, d, 3 * d)
        uniform("in.bias", d, 3 * d)
        uniform("short.weight", 3, 3 * d, 3)
        uniform("short.bias", 3, 3 * d)
        for name in ["filter", "residual"][: 1 + residual]:
            for way in ["", ".reverse"][: 1 + bidirectional]:
                self.p[f"{name}{way}.frequency"] = torch.full((order,), frequency, dtype=dtype, device=device, requires_grad=True)
                size = embedding
                for layer in range(layers + 1):
                    uniform(f"{name}{way}.{layer}.weight", size, size, order)
                    uniform(f"{name}{way}.{layer}.bias", size, order)
                    size = order
                uniform(f"{name}{way}.out.weight", order, order, d)
            uniform(f"{name}.skip", 1, d)
        uniform("out.weight", d, d, d)
        uniform("out.bias", d, d)
        t = torch.linspace(0, 1, length, dtype=dtype)[:, None]
        bands = (embedding - 1) // 2
        w = 2 * math.pi * torch.arange(length, dtype=dtype)[:, None] / length
        arg = torch.linspace(1e-4, bands - 1, bands, dtype=dtype) * w
        deltas = torch.linspace(math.log(0.01) / 1.5, math.log(0.01) / 0.3, d, dtype=dtype)
        self.z = torch.cat([t, torch.cos(arg), -torch.sin(arg)], dim=1).to(device)
        self.decay = torch.exp(-t * deltas.abs()).to(device)

    def taps(self, name, length):
        h = self.z[:length]
        for layer in range(self.layers + 1):
            h = torch.sin(self.p[f"{name}.frequency"] * (h @ self.p[f"{name}.{layer}.weight"] + self.p[f"{name}.{layer}.bias"]))
        return (h @ self.p[f"{name}.out.weight"] * self.decay[:length]).T

    def long(self, name, x):
        length = x.shape[-1]
        n = 2 * length
        h = torch.fft.rfft(self.taps(name, length), n=n)
        if self.bidirectional:
            h = h + torch.fft.rfft(self.taps(name + ".reverse", length), n=n).conj()
        y = torch.fft.irfft(torch.fft.rfft(x, n=n) * h, n=n)[..., :length]
        return y + x * self.p[f"{name}.skip"][:, None]

    def __call__(self, u):
        d, length = self.d, u.shape[1]
        x = (u @ self.p["in.weight"] + self.p["in.bias"]).transpose(1, 2)
        pad = (1, 1) if self.centred else (2, 0)
        x = torch.nn.functional.conv1d(torch.nn.functional.pad(x, pad), self.p["short.weight"][:, None], self.p["short.bias"], groups=3 * d)
        x1, x2, v = x.split(d, dim=1)
        y = self.long("filter", v * x1) * x2
        if self.residual:
            y = y + self.long("residual", u.transpose(1, 2))
        return y.transpose(1, 2) @ self.p["out.weight"] + self.p["out.bias"]


def check(path):
    def tensor(t):
        return torch.tensor(t["values"], dtype=torch.float64).reshape(t["shape"])

    for c in json.load(open(path))["cases"]:
        b = Block(c["width"], c["length"], c["order"], c["layers"], c["embedding"], bidirectional=c["bidirectional"],
                  residual=c["residual"], centred=c["centred"], dtype=torch.float64)
        assert b.p.keys() == c["params"].keys()
        b.p = {k: tensor(v) for k, v in c["params"].items()}
        want = tensor(c["output"])
        error = ((b(tensor(c["input"])) - want).abs().max() / want.abs().max()).item()
        print(f"{c['name']}: relative error {error:.2g}")
        assert error < 1e-12, c["name"]


def serve():
    work = json.loads(sys.stdin.readline())
    torch.set_num_threads(work["threads"])
    device = work["device"].split(":")[0]
    batch, length, width = work["shape"]
    b = Block(width, length, bidirectional=work["bidirectional"], residual=work["residual"], device=device)
    u = torch.randn(batch, length, width).to(device).requires_grad_()
    print(f"PyTorch {torch.__version__}", flush=True)
    for line in sys.stdin:
        what, reps = line.split()
        for _ in range(int(reps)):
            if what == "forward":
                with torch.no_grad():
                    b(u)
            else:
                torch.autograd.grad(b(u).square().mean(), [u, *b.p.values()])
        if device == "cuda":
            torch.cuda.synchronize()
        print("done", flush=True)


if sys.argv[1:2] == ["--check"]:
    check(sys.argv[2])
else:
    serve()
