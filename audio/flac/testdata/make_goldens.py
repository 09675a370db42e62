"""Makes the files that reader_test.go reads, with libsndfile:  python3 make_goldens.py

Sample i of channel c is k = (37*i + 11*c) % 201 - 100, as k/128.
"""

import numpy as np
import soundfile as sf

for subtype in ["PCM_S8", "PCM_16", "PCM_24"]:
    for channels in [1, 2, 5]:
        i, c = np.mgrid[:5000, :channels]
        sf.write(f"{subtype}_{channels}.flac".lower(), ((37 * i + 11 * c) % 201 - 100) / 128, 8000 + channels, subtype=subtype)
