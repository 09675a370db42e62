"""PyTorch's times of what `twiddle bench fft|conv|fusion|loss|linalg --device cuda:0` measures.

    python3 bench/torch_peers.py [--json] [--host]

Times are medians of 30 by events, after a warm-up, of float32 and complex64
data that is larger than the L2 cache; the floor is what a copy takes of as many
bytes as go in and come out, measured in the same run.
"""
import argparse
import json
import statistics
import sys
import time

try:
    import torch
except ImportError:
    sys.exit("torch_peers: no PyTorch here: pip install torch")


def times(f, runs=30):
    for _ in range(3):
        f()
    out = []
    for _ in range(runs):
        start, end = torch.cuda.Event(enable_timing=True), torch.cuda.Event(enable_timing=True)
        start.record()
        f()
        end.record()
        end.synchronize()
        out.append(start.elapsed_time(end))
    return statistics.median(out)


def fft_rows():
    for n in [64, 128, 256, 512, 1024, 2048, 4096, 8192, 16384, 1000, 65536, 1 << 20, 1009, 44100]:
        batch = max((512 << 20) // 8 // n, 1)
        x = torch.randn(batch, n, dtype=torch.complex64, device="cuda")
        yield f"fft {batch}x{n}", times(lambda: torch.fft.fft(x)), 16 * x.numel()


def conv_rows():
    for b, c, l, mode in [(64, 768, 1024, "circular"), (64, 768, 1024, "causal"), (64, 768, 4096, "circular"),
                          (64, 768, 4096, "causal"), (16, 768, 16384, "circular"), (8, 64, 1024, "circular")]:
        n = l if mode == "circular" else 2 * l
        x = torch.randn(b, c, l, device="cuda")
        h = torch.fft.rfft(torch.randn(c, l, device="cuda"), n=n)
        bias = torch.randn(c, 1, device="cuda")
        yield f"conv {mode} {b}x{c}x{l}", times(lambda: torch.fft.irfft(torch.fft.rfft(x, n=n) * h, n=n)[..., :l] + bias), 8 * x.numel()


def welch_rows(k=8, segments=8):
    for n, batch in [(1024, 65536), (256, 4096), (4096, 4096)]:
        x = torch.randn(batch, n + (segments - 1) * n // 2, device="cuda")
        w = torch.hann_window(n, device="cuda")

        def run():
            f = x.unfold(-1, n, n // 2)
            p = torch.fft.rfft((f - f.mean(-1, keepdim=True)) * w).abs().square().mean(-2)
            top = torch.zeros_like(p, dtype=torch.bool)
            top[..., 1:-1] = (p[..., 1:-1] > p[..., :-2]) & (p[..., 1:-1] > p[..., 2:])
            return torch.where(top, p, 0).topk(k, -1)

        yield f"welch and peaks {batch}x{n}", times(run), 4 * x.numel()


def frame_loss(x, y):
    window = torch.hann_window(64, periodic=False, device="cuda")

    def magnitudes(a):
        return torch.fft.rfft(torch.nn.functional.pad(a, (63, 0)).unfold(-1, 64, 1) * window).abs()

    return (magnitudes(x) - magnitudes(y)).square().sum()


def multi_resolution(x, y):
    total = 0
    for n, hop, length in [(1024, 120, 600), (2048, 240, 1200), (512, 50, 240)]:
        window = torch.hann_window(length, device="cuda")

        def magnitudes(a):
            s = torch.stft(a, n, hop, length, window, return_complex=True)
            return (s.real.square() + s.imag.square()).clamp(min=1e-8).sqrt()

        p, q = magnitudes(x), magnitudes(y)
        total = total + torch.linalg.norm(q - p) / torch.linalg.norm(q) + (p.log() - q.log()).abs().mean()
    return total / 3


def loss_rows():
    for what, loss, shape in [("frame loss", frame_loss, (1 << 22,)), ("multi-resolution stft loss", multi_resolution, (16, 44100))]:
        x, y = torch.randn(shape, device="cuda", requires_grad=True), torch.randn(shape, device="cuda")

        def run():
            x.grad = None
            loss(x, y).backward()

        yield what + " and gradient", times(run), 12 * x.numel()


def linalg_rows():
    a = torch.randn(4096, 512, device="cuda")
    b = torch.randn(4096, 4096, device="cuda")
    yield "qr 4096x512", times(lambda: torch.linalg.qr(a)), 8 * a.numel()
    yield "svd_lowrank 32 of 4096x512", times(lambda: torch.svd_lowrank(a, 32)), 4 * a.numel()
    yield "matmul 4096", times(lambda: b @ b), 12 * b.numel()


def host_rows(mib=256):
    """Copies between host and GPU, and small work end to end, by the host's clock."""
    ordinary = torch.randn(mib << 18)
    pinned = ordinary.pin_memory()
    x = ordinary.to("cuda")
    line = torch.randn(64, device="cuda")

    def least(f, runs=10, repeat=1):
        best = 1e9
        for _ in range(runs):
            torch.cuda.synchronize()
            start = time.perf_counter()
            for _ in range(repeat):
                f()
            torch.cuda.synchronize()
            best = min(best, (time.perf_counter() - start) / repeat)
        return best

    def fourteen():
        y = line
        for _ in range(14):
            y = y + 1
        torch.cuda.synchronize()

    size = 4 * ordinary.numel() / 1e9
    for what, f in [("upload", lambda: ordinary.to("cuda")), ("download", lambda: x.cpu()),
                    ("upload, pinned", lambda: pinned.to("cuda", non_blocking=True)),
                    ("download, pinned", lambda: pinned.copy_(x, non_blocking=True))]:
        yield f"{what} {mib} MiB", size / least(f), "GB/s"
    yield "one small kernel, end to end", 1e6 * least(lambda: (line + 1, torch.cuda.synchronize()), repeat=64), "us"
    yield "fourteen small kernels, end to end", 1e6 * least(fourteen, repeat=64), "us"
    graph = torch.cuda.CUDAGraph()
    with torch.cuda.graph(graph):
        y = line
        for _ in range(14):
            y = y + 1
    yield "the same as a CUDA graph", 1e6 * least(lambda: (graph.replay(), torch.cuda.synchronize()), repeat=64), "us"
    xs, h, bias = torch.randn(8, 64, 1024, device="cuda"), torch.fft.rfft(torch.randn(64, 1024, device="cuda")), torch.randn(64, 1, device="cuda")
    yield "conv circular 8x64x1024, end to end", 1e6 * least(
        lambda: (torch.fft.irfft(torch.fft.rfft(xs) * h) + bias, torch.cuda.synchronize()), repeat=64), "us"


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--json", action="store_true", help="print one JSON array")
    parser.add_argument("--host", action="store_true", help="only what is about the host")
    args = parser.parse_args()
    if not torch.cuda.is_available():
        sys.exit("torch_peers: no GPU here")
    rows = []
    for what, value, unit in host_rows():
        rows.append({"what": what, "value": value, "unit": unit})
        if not args.json:
            print(f"{what:40} {value:9.2f} {unit}", flush=True)
    if args.host:
        if args.json:
            json.dump(rows, sys.stdout, indent=1)
            print()
        return
    x = torch.empty(128 << 20, device="cuda").normal_()
    y = torch.empty_like(x)
    speed = 8 * x.numel() / times(lambda: y.copy_(x))  # bytes per ms
    del x, y
    for make in (fft_rows, conv_rows, welch_rows, loss_rows, linalg_rows):
        for what, ms, moved in make():
            rows.append({"what": what, "ms": ms, "floor_ms": moved / speed, "x_floor": ms * speed / moved})
            if not args.json:
                print(f"{what:32} {ms:9.4f} ms  {rows[-1]['x_floor']:6.2f} x floor", flush=True)
    if args.json:
        json.dump(rows, sys.stdout, indent=1)
        print()


if __name__ == "__main__":
    main()
