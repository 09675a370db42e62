"""Times in the form of Go's benchmarks, the least of several runs."""

import time


def best(name, run, repeats=5):
    least = 1e9
    for _ in range(repeats):
        start = time.perf_counter()
        run()
        least = min(least, time.perf_counter() - start)
    print(f"Benchmark{name}\t{repeats}\t{least * 1e9:.0f} ns/op", flush=True)
