"""Makes python.safetensors with the reference implementation:

    pip install safetensors numpy && python make_goldens.py
"""
import numpy as np
from safetensors.numpy import save_file

save_file(
    {
        "weights": np.arange(6, dtype=np.float32).reshape(2, 3) / 4,
        "bias": np.array([-1.5, 2.5], dtype=np.float64),
        "count": np.array(7, dtype=np.int64),
        "none": np.zeros((0, 4), dtype=np.uint8),
        "half": np.array([1, -2], dtype=np.float16),
    },
    "python.safetensors",
    metadata={"format": "np", "of": "numbers"},
)
