"""Makes the files that reader_test.go reads, with libsndfile:  python3 make_goldens.py

Sample i of channel c is k = (37*i + 11*c) % 201 - 100, as k/128.
"""

import numpy as np
import soundfile as sf

FRAMES = 23


def samples(channels):
    i, c = np.mgrid[:FRAMES, :channels]
    return ((37 * i + 11 * c) % 201 - 100) / 128


for subtype in ["PCM_U8", "PCM_16", "PCM_24", "PCM_32", "FLOAT", "DOUBLE"]:
    for channels in [1, 3]:
        for kind in ["WAV", "WAVEX", "RF64"]:
            sf.write(f"{kind}_{subtype}_{channels}.wav".lower(), samples(channels), 8000 + channels, subtype=subtype, format=kind)
sf.write("rifx_pcm_16_2.wav", samples(2), 8002, subtype="PCM_16", format="WAV", endian="BIG")
sf.write("rifx_double_2.wav", samples(2), 8002, subtype="DOUBLE", format="WAV", endian="BIG")
