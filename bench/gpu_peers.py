"""What PyTorch takes for the benchmarks of gpu_test.go, on its GPU.

Prints lines as Go's benchmarks do: the median of runs by the host's clock, from the call until the
result is there. Names and sizes are those of BenchmarkGPU; rows without an equivalent are left out.

    python3 gpu_peers.py [PATTERN]
"""

import re
import statistics
import sys
import time

import torch
import torch.nn.functional as F

try:
    import torchaudio
except ImportError:
    torchaudio = None

torch.backends.cuda.matmul.allow_tf32 = False
torch.backends.cudnn.allow_tf32 = False
PATTERN = re.compile(sys.argv[1] if len(sys.argv) > 1 else "")
DEVICE = "cuda" if torch.cuda.is_available() else "cpu"


def bench(name, f, *inputs, runs=20):
    """Times f of inputs, which are functions, so that no row holds the memory of another."""
    if not PATTERN.search(name):
        return
    try:
        inputs = [make() for make in inputs]
        sync = torch.cuda.synchronize if DEVICE == "cuda" else lambda: None
        times = []
        for _ in range(runs + 3):
            sync()
            start = time.perf_counter()
            f(*inputs)
            sync()
            times.append(time.perf_counter() - start)
        print(f"BenchmarkGPU/{name}\t{runs}\t{statistics.median(times[3:]) * 1e9:.0f} ns/op", flush=True)
    except Exception as error:  # a row that PyTorch refuses is reported, and the next one measured
        print(f"{name}: {error}", file=sys.stderr)


def normal(*shape, dtype=torch.float32):
    return lambda: torch.randn(*shape, dtype=dtype, device=DEVICE)


def places(high, *shape):
    return lambda: torch.randint(0, high, shape, device=DEVICE)


def grad(f):
    """f, a scalar of inputs, with its gradients."""
    def run(*inputs):
        inputs = [x.detach().requires_grad_() if x.is_floating_point() else x for x in inputs]
        return torch.autograd.grad(f(*inputs), [x for x in inputs if x.requires_grad])
    return run


c64, f64 = torch.complex64, torch.float64
FLAT, WIDE, SQUARE = [1 << 24], [8192, 4096], [8192, 8192]

bench("Elements/GELU", F.gelu, normal(*FLAT))
bench("Elements/Softmax", lambda x: F.softmax(x, -1), normal(*WIDE))
bench("Elements/LogSumExp", lambda x: x.logsumexp(-1), normal(*WIDE))
bench("Elements/LayerNorm", lambda x, g, b: F.layer_norm(x, (4096,), g, b), normal(*WIDE), normal(4096), normal(4096))
bench("Elements/VarRows", lambda x: x.var(-1), normal(*WIDE))
bench("Elements/VarColumns", lambda x: x.var(0), normal(*WIDE))
bench("Elements/ArgMaxColumns", lambda x: x.argmax(0), normal(*WIDE))
bench("Elements/Standardize", lambda x: (x - x.mean(-1, keepdim=True)) / x.std(-1, keepdim=True), normal(*WIDE))
bench("Elements/CumSum", lambda x: x.cumsum(-1), normal(*FLAT))
bench("Elements/CumSumRows", lambda x: x.cumsum(-1), normal(*WIDE))
bench("Elements/CumSumColumns", lambda x: x.cumsum(0), normal(*WIDE))
bench("Elements/CumProdRows", lambda x: x.cumprod(-1), normal(*WIDE))
bench("Elements/Diff", torch.diff, normal(*FLAT))
bench("Elements/AbsComplex", torch.abs, normal(*FLAT, dtype=c64))
bench("Elements/AngleComplex", torch.angle, normal(*FLAT, dtype=c64))
bench("Elements/Where", lambda x: torch.where(x > 0, x, 0.0), normal(*FLAT))
bench("Elements/Any", lambda x: (x > 9).any(), normal(*FLAT))
bench("Elements/CountTrue", lambda x: (x > 0).sum(), normal(*FLAT))
bench("Elements/SumAxes02", lambda x: x.sum((0, 2)), normal(256, 256, 512))
bench("Elements/SumFloat64", torch.sum, normal(*FLAT, dtype=f64))

bench("Random/Normal", lambda: torch.randn(1 << 26, device=DEVICE))
bench("Random/Uniform", lambda: torch.rand(1 << 26, device=DEVICE))
bench("Random/Permutation", lambda: torch.randperm(1 << 20, device=DEVICE))

bench("Moves/Transpose021", lambda x: x.transpose(1, 2).contiguous(), normal(256, 512, 512))
bench("Moves/Transpose3210", lambda x: x.permute(3, 2, 1, 0).contiguous(), normal(64, 64, 64, 256))
bench("Moves/Transpose102", lambda x: x.transpose(0, 1).contiguous(), normal(512, 512, 64))
bench("Moves/Concat", lambda x, y: torch.cat([x, y], 1), normal(8192, 2048), normal(8192, 2048))
bench("Moves/Stack", lambda x, y: torch.stack([x, y], -1), normal(*FLAT), normal(*FLAT))
bench("Moves/Flip", lambda x: x.flip(-1), normal(*SQUARE))
bench("Moves/Roll", lambda x: x.roll(100, -1), normal(*SQUARE))
bench("Moves/RepeatElements", lambda x: x.repeat_interleave(4, -1), normal(8192, 1024))
bench("Moves/Tile", lambda x: x.tile(1, 4), normal(8192, 1024))
bench("Moves/PadReflect", lambda x: F.pad(x, (1024, 1024), mode="reflect"), normal(64, 1 << 20))
bench("Moves/EverySecond", lambda x: x[:, ::2].contiguous(), normal(*SQUARE))

bench("Orders/SortFlat", lambda x: x.sort().values, normal(*FLAT))
bench("Orders/SortRows", lambda x: x.sort().values, normal(16384, 1024))
bench("Orders/SortShortRows", lambda x: x.sort().values, normal(1 << 20, 16))
bench("Orders/SortColumns", lambda x: x.sort(0).values, normal(1024, 8192))
bench("Orders/ArgSortRows", torch.argsort, normal(1024, 16384))
bench("Orders/ArgSortFlat", torch.argsort, normal(*FLAT))
bench("Orders/MedianRows", lambda x: x.median(-1).values, normal(16384, 1024))
bench("Orders/MedianFlat", lambda x: x.median(), normal(1 << 22))
bench("Orders/QuantileFlat", lambda x: x.kthvalue(int(0.9 * x.numel())).values, normal(1 << 22))
bench("Orders/TopKFlat", lambda x: x.topk(10).values, normal(*FLAT))
bench("Orders/TopKRows", lambda x: x.topk(10).values, normal(16384, 1024))
bench("Orders/SearchSorted", torch.searchsorted, lambda: normal(1 << 16)().sort().values, normal(1 << 22))
bench("Orders/Histogram", lambda x: torch.histc(x, 256, -4, 4), normal(*FLAT))

bench("Places/Embedding", lambda x, i: x[i], normal(50000, 512), places(50000, 65536))
bench("Places/TakeFlat", lambda x, i: x[i], normal(*FLAT), places(1 << 24, 1 << 24))
bench("Places/TakeColumns", lambda x, i: x[:, i], normal(*WIDE), places(4096, 2048))
bench("Places/GatherRows", lambda x, i: x.gather(1, i), normal(*WIDE), places(4096, 8192, 1024))
bench("Places/ScatterAddRows", lambda x, i: torch.zeros(1000, 256, device=DEVICE).index_add(0, i, x), normal(65536, 256), places(1000, 65536))
bench("Places/EmbeddingGradient", grad(lambda x, i: F.embedding(i, x).square().sum()), normal(50000, 512), places(50000, 65536))

bench("Products/Batch64", torch.matmul, normal(4096, 64, 64), normal(4096, 64, 64))
bench("Products/Batch512", torch.matmul, normal(64, 512, 512), normal(64, 512, 512))
bench("Products/Skinny", torch.matmul, normal(1 << 20, 64), normal(64, 64))
bench("Products/InnerLong", torch.matmul, normal(64, 1 << 20), normal(1 << 20, 64))
bench("Products/Vector", torch.matmul, normal(16384, 16384), normal(16384))
bench("Products/VectorTransposed", lambda x, y: y @ x, normal(16384, 16384), normal(16384))
bench("Products/Transposed", lambda x, y: x @ y.T, normal(2048, 2048), normal(2048, 2048))
bench("Products/Broadcast", torch.matmul, normal(64, 512, 512), normal(512, 512))
bench("Products/Dot", torch.dot, normal(1 << 26), normal(1 << 26))
bench("Products/Outer", torch.outer, normal(8192), normal(8192))
bench("Products/Einsum", lambda x, y: torch.einsum("bqhd,bkhd->bhqk", x, y), normal(16, 1024, 8, 64), normal(16, 1024, 8, 64))
bench("Products/Distances", torch.cdist, normal(4096, 32), normal(4096, 32))

bench("Transforms/FFT2", torch.fft.fft2, normal(256, 256, 256, dtype=c64))
bench("Transforms/FFT2Shift", lambda x: torch.fft.fftshift(torch.fft.fft2(x)), normal(4096, 4096, dtype=c64))
bench("Transforms/RFFT2", torch.fft.rfft2, normal(256, 512, 512))
bench("Transforms/FFTN128", torch.fft.fftn, normal(128, 128, 128, dtype=c64))
bench("Transforms/RFFTColumns", lambda x: torch.fft.rfft(x, dim=0), normal(*SQUARE))
bench("Transforms/FFTDouble", torch.fft.fft, normal(4096, 4096, dtype=torch.complex128))
bench("Transforms/FFTConv2", lambda x, k: torch.fft.irfft2(torch.fft.rfft2(x, (542, 542)) * torch.fft.rfft2(k, (542, 542)))[:, 15:527, 15:527],
      normal(64, 512, 512), normal(31, 31))

AUDIO = 64, 220500


def hann(n):
    return torch.hann_window(n, device=DEVICE)


def stft(x, n=1024, hop=256):
    return torch.stft(x, n, hop, window=hann(n), return_complex=True)


def round_trip(x):
    return torch.istft(stft(x), 1024, 256, window=hann(1024), length=x.shape[-1])


def envelope(x):
    n = x.shape[-1]
    h = torch.zeros(n, device=DEVICE)
    h[0] = h[n // 2] = 1
    h[1:n // 2] = 2
    return torch.fft.ifft(torch.fft.fft(x) * h).abs()


def reverb(x, k):
    n = x.shape[-1] + k.shape[-1] - 1
    return torch.fft.irfft(torch.fft.rfft(x, n) * torch.fft.rfft(k, n), n)


bench("Signal/STFT", stft, normal(*AUDIO))
bench("Signal/STFTPower", lambda x: stft(x).abs().square(), normal(*AUDIO))
bench("Signal/STFT400", lambda x: stft(x, 400, 160).abs().square(), normal(*AUDIO))
bench("Signal/RoundTrip", round_trip, normal(*AUDIO))
bench("Signal/Hilbert", envelope, normal(512, 16384))
bench("Signal/Reverb", reverb, normal(*AUDIO), normal(1, 44100))
bench("Signal/FIR31", lambda x, k: F.conv1d(x[:, None], k[None], padding=15), normal(*AUDIO), normal(1, 31))
bench("Signal/MedFilt5", lambda x: F.pad(x, (2, 2)).unfold(-1, 5, 1).median(-1).values, normal(*AUDIO))
bench("Signal/Correlate", lambda x: torch.fft.irfft(torch.fft.rfft(x, 32768).abs().square())[:, :16384], normal(1024, 16384))
bench("Signal/MovingMean", lambda x: F.avg_pool1d(x[:, None], 64, 1), normal(*AUDIO))
bench("Signal/MovingMax", lambda x: F.max_pool1d(x[:, None], 64, 1), normal(*AUDIO))
if torchaudio:
    mel = torchaudio.transforms.MelSpectrogram(22050, 1024, hop_length=256, n_mels=80).to(DEVICE)
    mfcc = torchaudio.transforms.MFCC(22050, 20, melkwargs={"n_fft": 1024, "hop_length": 256, "n_mels": 80}).to(DEVICE)
    lim = torchaudio.transforms.GriffinLim(1024, 32, hop_length=256, power=1).to(DEVICE)
    resample = torchaudio.transforms.Resample(44100, 16000).to(DEVICE)
    b, a = torch.tensor([0.2, 0.4, 0.2], device=DEVICE), torch.tensor([1, -0.5, 0.3], device=DEVICE)
    bench("Signal/Mel", lambda x: torchaudio.functional.amplitude_to_DB(mel(x), 10, 1e-10, 0, 80), normal(*AUDIO))
    bench("Signal/MFCC", mfcc, normal(*AUDIO))
    bench("Signal/MelGradient", grad(lambda x: (mel(x) + 1e-5).log().sum()), normal(*AUDIO))
    bench("Signal/GriffinLim", lambda x: lim(x.abs()), normal(4, 513, 862))
    bench("Signal/ResamplePoly", resample, normal(64, 441000))
    bench("Signal/Biquad", lambda x: torchaudio.functional.lfilter(x, a, b, clamp=False), normal(*AUDIO), runs=3)

conv = lambda x, w: F.conv2d(x, w, padding=1)
IMAGE = normal(64, 64, 56, 56)
HEADS = [normal(8, 16, 1024, 64)] * 3
attention = lambda q, k, v: F.scaled_dot_product_attention(q, k, v, is_causal=True)
bench("Layers/Conv", conv, IMAGE, normal(64, 64, 3, 3))
bench("Layers/ConvGradient", grad(lambda x, w: conv(x, w).square().sum()), IMAGE, normal(64, 64, 3, 3))
bench("Layers/Conv1d", lambda x, w: F.conv1d(x, w, padding=4), normal(64, 64, 16384), normal(64, 64, 9))
bench("Layers/Depthwise", lambda x, w: F.conv1d(x, w, padding=4, groups=64), normal(64, 64, 16384), normal(64, 1, 9))
bench("Layers/MaxPool", lambda x: F.max_pool2d(x, 2), normal(64, 64, 112, 112))
bench("Layers/BatchNormGradient", grad(lambda x: F.batch_norm(x, None, None, training=True).pow(3).sum()), IMAGE)
bench("Layers/Attention", attention, *HEADS)
bench("Layers/AttentionGradient", grad(lambda *in_: attention(*in_).square().sum()), *HEADS)
bench("Layers/CrossEntropyGradient", grad(F.cross_entropy), normal(8192, 32000), places(32000, 8192))
ROWS = 65536, 1024
NORM = normal(*ROWS), normal(1024), normal(1024)
LINEAR = normal(4096, 1024), normal(4096, 1024), normal(4096)
norm = lambda x, g, b: F.layer_norm(x, (1024,), g, b)
bench("Layers/Softmax", lambda x: F.softmax(x, -1), normal(*ROWS))
bench("Layers/SoftmaxGradient", grad(lambda x: F.softmax(x, -1).square().sum()), normal(*ROWS))
bench("Layers/LayerNorm", norm, *NORM)
bench("Layers/LayerNormGradient", grad(lambda *in_: norm(*in_).square().sum()), *NORM)
bench("Layers/Linear", F.linear, *LINEAR)
bench("Layers/LinearGELU", lambda *in_: F.gelu(F.linear(*in_)), *LINEAR)
bench("Layers/LinearGELUGradient", grad(lambda *in_: F.gelu(F.linear(*in_)).square().sum()), *LINEAR)


def adam():
    w = torch.randn(25_000_000, device=DEVICE)
    w.grad = torch.randn_like(w)
    return torch.optim.Adam([w])


bench("Layers/Adam", lambda o: o.step(), adam)
gru = torch.nn.GRU(256, 256, batch_first=True, bias=False).to(DEVICE)
bench("Layers/GRU", lambda x: gru(x)[0].detach(), normal(64, 128, 256))


def positive(*shape):
    def make():
        x = torch.randn(*shape, device=DEVICE)
        return x @ x.mT + torch.eye(shape[-1], device=DEVICE)
    return make


bench("Factors/Solve1024", lambda a: torch.linalg.solve(a, a[..., :1]), positive(1024, 1024))
bench("Factors/SolveBatch32", lambda a: torch.linalg.solve(a, a[..., :1]), positive(4096, 32, 32))
bench("Factors/Cholesky1024", torch.linalg.cholesky, positive(1024, 1024))
bench("Factors/CholeskyBatch32", torch.linalg.cholesky, positive(4096, 32, 32))
bench("Factors/Inverse512", torch.linalg.inv, positive(512, 512))
bench("Factors/QRBatch64", torch.linalg.qr, normal(512, 64, 64))
bench("Factors/Eigh256", torch.linalg.eigh, positive(256, 256))
bench("Factors/SVD256", torch.linalg.svd, normal(256, 256))
for shape in (512, 64, 64), (64, 256, 256), (1, 512, 512), (1, 1024, 1024), (1, 2048, 2048), (1, 4096, 4096):
    for kind in torch.float32, torch.float64:
        name = f"{shape[0]}x{shape[1]}/{kind}".replace("torch.", "")

        def make():
            x = torch.randn(*(shape if shape[0] > 1 else shape[1:]), device=DEVICE, dtype=kind)
            return x @ x.mT / shape[1] + torch.eye(shape[1], device=DEVICE, dtype=kind)

        bench("Factors/Det" + name, torch.linalg.det, make)
        bench("Factors/Solve" + name, lambda a: torch.linalg.solve(a, a[..., :1]), make)
        bench("Factors/Cholesky" + name, torch.linalg.cholesky, make)
        bench("Factors/Inverse" + name, torch.linalg.inv, make)
for shape in (4096, 8, 8), (513, 16, 16), (513, 32, 32):
    for kind in torch.float32, torch.float64, torch.complex64:
        name = f"Batch{shape[1]}/{kind}".replace("torch.", "")
        make = normal(*shape, dtype=kind)
        bench("Factors/Eigh" + name, torch.linalg.eigh, lambda: (lambda x: x @ x.mH)(make()))
        bench("Factors/SVD" + name, lambda x: torch.linalg.svd(x, full_matrices=False), make)
