"""Times in the form of Go's benchmarks, the least of several runs."""

import time


def best(name, run, repeats=5, clock=time.perf_counter):
    least = 1e9
    for _ in range(repeats):
        start = clock()
        run()
        least = min(least, clock() - start)
    took = f"{least * 1e9:.0f} ns/op" if clock is time.perf_counter else f"{least * 1e3:.2f} cpu-ms"
    print(f"Benchmark{name}\t{repeats}\t{took}", flush=True)
