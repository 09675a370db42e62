import sys
import librosa, numpy as np

if len(sys.argv) < 2:
    sys.exit("usage: twin.py FILE...")
for name in sys.argv[1:]:
    x, rate = librosa.load(name, sr=None)
    m = librosa.feature.melspectrogram(y=x, sr=rate, n_mels=80)
    out = name.rsplit(".", 1)[0] + ".npy"
    np.save(out, librosa.power_to_db(m))
    print(out, m.shape)
