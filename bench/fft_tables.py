"""Times `twiddle bench fft` row by row, for the tables of docs/BENCHMARKS.md beside FFTW and MKL.

A row is a process pinned to one core; rows take turns, round after round, and a figure is the
median of its runs. Several cores measure at the same time. Runs are appended to a file as they
end, so a run that is cut short keeps what it has, and later runs add to it:

    python3 bench/fft_tables.py run --cores 2-7 --out runs.jsonl
    python3 bench/fft_tables.py tables runs.jsonl
    python3 bench/fft_tables.py tables runs.jsonl --write docs/BENCHMARKS.md

`short` prints other lengths beside FFTW, a single line and a batch in one cell. Two builds are
compared with --twiddle before=old/twiddle,after=new/twiddle; `ratios` prints the time of each
over that of the first.
"""

import argparse
import collections
import json
import math
import os
import queue
import re
import statistics
import subprocess
import sys
import threading

POWERS = [1 << k for k in range(6, 21)]
OTHERS = [1000, 1536, 3125, 10000, 44100, 48000, 1009, 65537]
SIZES = {1: POWERS + OTHERS, 64: [n for n in POWERS + OTHERS if n <= 16384]}
DTYPES = ["c64", "c128", "r32", "r64"]
LEVELS = {"avx512": "AVX-512", "avx2": "AVX2"}
FFTW_ONCE = 1 << 17  # planning takes seconds from here on: FFTW runs in the first round only


def cores(text):
    """The cores of a list such as 2-5,8."""
    out = []
    for part in text.split(","):
        first, _, last = part.partition("-")
        out += range(int(first), int(last or first) + 1)
    return out


def jobs(args):
    builds = [tuple(b.rpartition("=")[::2]) for b in args.twiddle.split(",")]
    for turn in range(args.rounds):
        for level in args.levels.split(","):
            for batch in map(int, args.batches.split(",")):
                for n in [int(s) for s in args.sizes.split(",")] if args.sizes else SIZES[batch]:
                    for dtype in args.dtypes.split(","):
                        for order, (name, path) in enumerate(builds):
                            peers = [p for p in args.peers.split(",") if p and not (p == "fftw" and n >= FFTW_ONCE and turn)]
                            yield {"build": name, "order": order, "path": path, "level": level, "batch": batch, "n": n, "dtype": dtype, "peers": peers}


def measure(job, core):
    env = dict(os.environ, TWIDDLE_SIMD=job["level"], MKL_ENABLE_INSTRUCTIONS=job["level"].upper(),
               MKL_THREADING_LAYER="SEQUENTIAL")
    command = ["taskset", "-c", str(core), job["path"], "bench", "fft", "--json", "--sizes", str(job["n"]),
               "--dtype", job["dtype"], "--batch", str(job["batch"]), "--peers", ",".join(job["peers"])]
    done = subprocess.run(command, env=env, capture_output=True, text=True)
    if done.returncode != 0:
        print(" ".join(command), done.stderr[:400], file=sys.stderr)
        return None
    row = json.loads(done.stdout)[0]
    return {k: job[k] for k in ("build", "order", "level", "batch", "n", "dtype")} | {"ns": row["ns"], "peers": row["peers"]}


def run(args):
    waiting, lock = queue.SimpleQueue(), threading.Lock()
    for job in jobs(args):
        waiting.put(job)
    with open(args.out, "a") as out:
        def worker(core):
            while True:
                try:
                    job = waiting.get_nowait()
                except queue.Empty:
                    return
                if result := measure(job, core):
                    with lock:
                        print(json.dumps(result), file=out, flush=True)
        threads = [threading.Thread(target=worker, args=(core,)) for core in cores(args.cores)]
        for t in threads:
            t.start()
        for t in threads:
            t.join()


def read(files):
    """The runs of every row, by (level, batch, n, dtype) and build."""
    rows = collections.defaultdict(lambda: collections.defaultdict(list))
    for name in files:
        for line in open(name):
            r = json.loads(line)
            rows[r["level"], r["batch"], r["n"], r["dtype"]][r["build"]].append(r)
    return rows


def ratio(runs, peer):
    """The median of a peer's time over ours, of runs that have both, or None."""
    all = [r["peers"][peer] / r["ns"] for r in runs if peer in r["peers"]]
    return statistics.median(all) if all else None


def geometric(values):
    return math.exp(statistics.fmean(map(math.log, values)))


def table(rows, level, batch):
    """The markdown of a table, and how many rows are behind each peer."""
    lines = ["| n | c64: FFTW / MKL | c128 | r32 | r64 |", "|---|---|---|---|---|"]
    behind, all = collections.Counter(), collections.defaultdict(list)
    pair = lambda values: " / ".join("-" if v is None else f"{v:.2f}" for v in values)
    for n in SIZES[batch]:
        cells = []
        for dtype in DTYPES:
            runs = [r for build in rows[level, batch, n, dtype].values() for r in build]
            values = [ratio(runs, peer) for peer in ("fftw", "mkl")]
            cells.append(pair(values))
            for peer, v in zip(("fftw", "mkl"), values):
                if v is not None:
                    all[dtype, peer].append(v)
                    behind[peer] += round(v, 2) < 1
        lines.append(f"| {n} | " + " | ".join(cells) + " |")
    means = [pair([geometric(all[d, p]) if all[d, p] else None for p in ("fftw", "mkl")]) for d in DTYPES]
    lines.append("| geometric mean | " + " | ".join(means) + " |")
    return lines, behind


def replace(page, heading, lines):
    """Writes a table in the place of the one behind a line of the page."""
    text, found = re.subn(rf"(^{heading}\n[^|]*)(\|[^\n]*\n)+", lambda m: m[1] + "\n".join(lines) + "\n", open(page).read(), flags=re.M)
    if found != 1:
        sys.exit(f"{page}: {found} tables behind: {heading}")
    open(page, "w").write(text)


def tables(args):
    rows = read(args.files)
    for level, title in LEVELS.items():
        for batch, what in ((1, "single transforms"), (64, "batches of 64")):
            if not any(key[:2] == (level, batch) for key in rows):
                continue
            lines, behind = table(rows, level, batch)
            print(f"\n{title}, {what}: behind FFTW at {behind['fftw']} rows, MKL at {behind['mkl']}\n", *lines, sep="\n")
            if args.write:
                replace(args.write, f"#### {title}, {what}", lines)


def short(args):
    rows = read(args.files)
    for level, title in LEVELS.items():
        lines = ["| n | c64: one; 64 | c128 | r32 | r64 |", "|---|---|---|---|---|"]
        for n in sorted({key[2] for key in rows}):
            runs = lambda batch, dtype: [r for build in rows[level, batch, n, dtype].values() for r in build]
            cells = ["; ".join(f"{ratio(runs(batch, dtype), 'fftw'):.2f}" for batch in (1, 64)) for dtype in DTYPES]
            lines.append(f"| {n} | " + " | ".join(cells) + " |")
        print(f"\nWith {title}:\n", *lines, sep="\n")
        if args.write:
            replace(args.write, f"With {title}:", lines)


def ratios(args):
    for key, builds in read(args.files).items():
        times = {b: statistics.median(r["ns"] for r in builds[b]) for b in sorted(builds, key=lambda b: builds[b][0]["order"])}
        first = next(iter(times.values()))
        cells = [f"{b} {t:.0f} ns {t / first:.3f}" + "".join(f" {p} {ratio(builds[b], p):.2f}" for p in builds[b][0]["peers"]) for b, t in times.items()]
        print(*key, " ".join(cells), sep="\t")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    verbs = parser.add_subparsers(required=True)
    p = verbs.add_parser("run", help="measure rows")
    p.add_argument("--twiddle", default="twiddle", help="the program, or several as name=path,name=path")
    p.add_argument("--cores", default="1", help="cores that measure, such as 2-7")
    p.add_argument("--rounds", type=int, default=3)
    p.add_argument("--levels", default="avx512,avx2")
    p.add_argument("--batches", default="1,64")
    p.add_argument("--sizes", default="", help="lengths instead of those of the tables")
    p.add_argument("--dtypes", default=",".join(DTYPES))
    p.add_argument("--peers", default="fftw,mkl")
    p.add_argument("--out", default="runs.jsonl")
    p.set_defaults(do=run)
    for name, do, text in (("tables", tables, "print the tables"), ("short", short, "print the tables of short lines"), ("ratios", ratios, "print the times of builds over the first's")):
        p = verbs.add_parser(name, help=text)
        p.add_argument("files", nargs="+")
        if do is not ratios:
            p.add_argument("--write", default="", help="a page whose tables are replaced")
        p.set_defaults(do=do)
    args = parser.parse_args()
    args.do(args)


if __name__ == "__main__":
    main()
