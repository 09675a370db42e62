"""Runs the installed tests of SciPy and NumPy against Twiddle and writes the counts.

    python run.py [report.json]

Needs go, numpy, scipy, pytest and hypothesis.
"""

import json
import os
import subprocess
import sys

import numpy.fft
import scipy
import scipy.fft
import scipy.signal

here = os.path.dirname(os.path.abspath(__file__))
binary = os.environ.get("TWIDDLE_PEERSUITE")  # one that is built already
if not binary:
    binary = os.path.join(os.environ.get("TMPDIR", "/tmp"), "twiddle-peersuite")
    subprocess.run(["go", "build", "-o", binary, "./peersuite"], cwd=os.path.dirname(here), check=True)
report = os.path.abspath(sys.argv[1]) if len(sys.argv) > 1 else os.path.join(os.environ.get("TMPDIR", "/tmp"), "peersuite.json")

with open(os.path.join(here, "exclude.txt")) as f:
    excluded = [line.split("\t")[0] for line in f if line.strip() and not line.startswith("#")]
folder = lambda m: os.path.dirname(m.__file__)
suites = {
    "numpy.fft": [os.path.join(folder(numpy.fft), "tests", "test_pocketfft.py")],
    "scipy.fft": [os.path.join(folder(scipy.fft), "tests", t) for t in ("test_basic.py", "test_real_transforms.py")],
    "scipy.signal": [os.path.join(folder(scipy.signal), "tests", t) for t in (
        "test_signaltools.py", "test_upfirdn.py", "test_savitzky_golay.py", "test_filter_design.py", "test_czt.py", "test_spectral.py", "test_fir_filter_design.py")],
}
root = os.path.dirname(os.path.dirname(scipy.__file__))
total = {}
for name, files in suites.items():
    part = report + "." + name
    env = dict(os.environ, TWIDDLE_PEERSUITE=binary, TWIDDLE_PEERSUITE_REPORT=part, PYTHONPATH=here)
    subprocess.run([sys.executable, "-m", "pytest", "-q", "--no-header", "--tb=line", "-p", "shim", "--rootdir", root, "--confcutdir", root,
                    "-p", "no:cacheprovider", "-k", "not (" + " or ".join(excluded) + ")", *files], env=env, cwd="/")
    with open(part) as f:
        total[name] = json.load(f)
with open(report, "w") as f:
    json.dump(total, f, indent=1)
for name, t in total.items():
    c = t["counts"]
    print(f"{name}: {c.get('passed', 0)} passed, {len(t['missing'])} for missing features, {len(t['wrong'])} wrong, {c.get('skipped', 0)} skipped")
