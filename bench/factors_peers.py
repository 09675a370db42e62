"""What NumPy and SciPy take for BenchmarkFactors of factors_test.go.

Prints lines as Go's benchmarks do, least of several runs. For one thread:

    OPENBLAS_NUM_THREADS=1 taskset -c 1 python3 factors_peers.py
"""

import time

import numpy as np
import scipy.linalg

rng = np.random.default_rng(1)
OPERATIONS = {
    "Solve": lambda a, y: np.linalg.solve(a, y),
    "Inverse": lambda a, y: np.linalg.inv(a),
    "Det": lambda a, y: np.linalg.det(a),
    "Cholesky": lambda a, y: np.linalg.cholesky(a),
    "QR": lambda a, y: np.linalg.qr(a),
    # NumPy's lstsq takes an SVD and no batches: ours solves by QR.
    "LeastSquares": lambda a, y: [np.linalg.lstsq(b, z, rcond=None) for b, z in zip(a, y)],
    "Eigh": lambda a, y: np.linalg.eigh(a),
    "Eig": lambda a, y: np.linalg.eig(a),
    "EigValues": lambda a, y: np.linalg.eigvals(a),
    "Expm": lambda a, y: scipy.linalg.expm(a),
    "SVD": lambda a, y: np.linalg.svd(a),
    "Nuclear": lambda a, y: np.linalg.norm(a, "nuc", axis=(1, 2)),
}
for name, run in OPERATIONS.items():
    for dtype in np.float32, np.float64:
        for batch, n in (1, 8), (1, 32), (1, 64), (1, 128), (1, 256), (1, 512), (1000, 8), (1000, 32):
            a = rng.standard_normal((batch, n, n)).astype(dtype)
            y = rng.standard_normal((batch, n, 1)).astype(dtype)
            if name in ("Cholesky", "Eigh"):
                a = a @ a.transpose(0, 2, 1) + n * np.eye(n, dtype=dtype)
            least, start, runs = 1e9, time.perf_counter(), 0
            while runs < 3 or time.perf_counter() - start < 0.15:
                begin = time.perf_counter()
                run(a, y)
                least = min(least, time.perf_counter() - begin)
                runs += 1
            print(f"BenchmarkFactors/{name}/{dtype.__name__}/{batch}x{n}\t{runs}\t{least * 1e9:.0f} ns/op", flush=True)
