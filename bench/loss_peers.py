"""Times PyTorch and auraloss beside `twiddle bench loss`: values and gradients.

    pip install torch auraloss && python3 loss_peers.py [--rounds 5] [--device cpu|cuda]

Both take turns, round after round, and each keeps its best; what counts is the
ratio. The frame loss is the same maths in torch: frames by unfold, rfft,
magnitudes, and autograd back.
"""

import argparse
import json
import os
import subprocess
import tempfile
import time

import auraloss
import torch
import torch.nn.functional as F

parser = argparse.ArgumentParser()
parser.add_argument("--rounds", type=int, default=5)
parser.add_argument("--device", default="cpu")
parser.add_argument("--samples", type=int, default=131072)
args = parser.parse_args()
root = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..")
binary = os.path.join(tempfile.mkdtemp(), "twiddle")
subprocess.run(["go", "build", "-o", binary, "./cmd/twiddle"], cwd=root, check=True)

window = torch.hann_window(64, periodic=False, device=args.device)


def frame(x, y):
    def magnitudes(a):
        return torch.fft.rfft(F.pad(a, (63, 0)).unfold(-1, 64, 1) * window).abs()

    d = magnitudes(x) - magnitudes(y)
    return (d * d).sum()


multi = auraloss.freq.MultiResolutionSTFTLoss(device=args.device)
torch.manual_seed(1)
cases = {
    "frame": (frame, (args.samples,)),
    "multi-resolution stft": (lambda x, y: multi(x[:, None], y[:, None]), (16, 44100)),
}
signals = {n: (torch.randn(s, device=args.device, requires_grad=True), torch.randn(s, device=args.device)) for n, (_, s) in cases.items()}


def timed(name):
    x, y = signals[name]
    best = float("inf")
    for _ in range(3):
        x.grad = None
        start = time.perf_counter()
        cases[name][0](x, y).backward()
        if args.device != "cpu":
            torch.cuda.synchronize()
        best = min(best, time.perf_counter() - start)
    return best * 1e9


peer, ours = {n: float("inf") for n in cases}, {n: float("inf") for n in cases}
for _ in range(args.rounds):
    for n in cases:
        peer[n] = min(peer[n], timed(n))
    out = subprocess.run([binary, "bench", "loss", "--json", "--sequential=false", "--rounds", "3", "--device", args.device,
                          "--samples", str(args.samples)], check=True, capture_output=True)
    for row in json.loads(out.stdout):
        ours[row["name"]] = min(ours[row["name"]], row["ns"])

print(f"{'loss':>24} {'torch':>10} {'twiddle':>10} {'ratio':>6}   torch {torch.__version__}, {torch.get_num_threads()} threads")
for n in cases:
    print(f"{n:>24} {peer[n] / 1e6:>7.2f} ms {ours[n] / 1e6:>7.2f} ms {peer[n] / ours[n]:>6.2f}")
