"""Writes the .npy files that npy's tests read, with NumPy itself.

    python3 make_goldens.py

Made with NumPy 2.4.6. Every file is 2 x 3; element [i, j] is
value(3*i + j), as TestGoldens computes it again.
"""
import os

import numpy as np

here = os.path.dirname(os.path.abspath(__file__))

k = np.arange(6)
values = {
    "bool": k % 2 == 1,
    "int": k * 17 - 40,
    "uint": k * 23 + 1,
    "float": (k - 2.5) * 1.5,
    "complex": (k - 2.5) * 1.5 + 1j * (k * 0.25 - 1),
}
dtypes = ["bool", "int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64",
          "float16", "float32", "float64", "complex64", "complex128"]

for name in dtypes:
    kind = name.rstrip("0123456789")
    a = values[kind].astype(name).reshape(2, 3)
    np.save(os.path.join(here, name + "_little_c.npy"), a.astype(a.dtype.newbyteorder("<")))
    np.save(os.path.join(here, name + "_big_fortran.npy"), np.asfortranarray(a.astype(a.dtype.newbyteorder(">"))))

a = values["float"].astype("<f4").reshape(2, 3)
for version in [(1, 0), (2, 0), (3, 0)]:
    with open(os.path.join(here, "version%d.npy" % version[0]), "wb") as f:
        np.lib.format.write_array(f, a, version=version)
np.save(os.path.join(here, "scalar.npy"), np.float64(2.5))
np.save(os.path.join(here, "empty.npy"), np.zeros((3, 0, 2), "<i4"))
