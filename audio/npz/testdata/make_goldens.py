"""Makes the files that npz_test.go reads:  python3 make_goldens.py"""

import numpy as np

arrays = {
    "ramp": np.arange(12, dtype=np.float32).reshape(3, 4),
    "fortran": np.asfortranarray(np.arange(6, dtype=np.int16).reshape(2, 3)),
    "scalar": np.float64(2.5),
}
np.savez("plain.npz", **arrays)
np.savez_compressed("packed.npz", **arrays)
