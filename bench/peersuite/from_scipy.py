"""Writes docs/FROM-SCIPY.md: every public function of scipy.signal, scipy.fft, numpy.linalg, scipy.linalg and librosa, and what it is here.

    python from_scipy.py > ../../docs/FROM-SCIPY.md

Fails on a name below that the installed packages do not have, so that the list stays true.
"""

import inspect
import sys

import librosa
import numpy as np
import scipy.fft
import scipy.linalg
import scipy.signal
import scipy.signal.windows

S = "signal."
# What numpy.linalg and scipy.linalg have in common.
LINALG = {
    "cholesky": "linalg.Cholesky", "det": "linalg.Det", "eig": "linalg.Eig", "eigh": "linalg.Eigh", "eigvals": "linalg.EigValues", "inv": "linalg.Inverse", "lstsq": "linalg.LeastSquares",
    "norm": "linalg.Norm, nd.Array.Norm", "pinv": "linalg.Pinv", "qr": "linalg.QR", "solve": "linalg.Solve", "svd": "linalg.SVD",
}

HERE = {
    "scipy.fft": {
        "fft": "nd.Array.FFT, fft.Plan", "ifft": "nd.Array.IFFT", "fft2": "nd.Array.FFTN{Axes}", "ifft2": "nd.Array.IFFTN{Axes}",
        "fftn": "nd.Array.FFTN", "ifftn": "nd.Array.IFFTN", "rfft": "nd.Array.RFFT, fft.RealPlan", "irfft": "nd.Array.IRFFT",
        "rfft2": "nd.Array.RFFTN{Axes}", "irfft2": "nd.Array.IRFFTN{Axes}", "rfftn": "nd.Array.RFFTN", "irfftn": "nd.Array.IRFFTN",
        "hfft": "nd.Array.HFFT", "ihfft": "nd.Array.IHFFT", "hfft2": "nd.Array.HFFTN{Axes}", "ihfft2": "nd.Array.IHFFTN{Axes}",
        "hfftn": "nd.Array.HFFTN", "ihfftn": "nd.Array.IHFFTN", "dct": "signal.DCT.Apply, fft.TrigPlan", "idct": "signal.DCT.Inverse",
        "dctn": "signal.DCT.ApplyN", "idctn": "signal.DCT.InverseN", "dst": "signal.DST.Apply, fft.TrigPlan", "idst": "signal.DST.Inverse",
        "dstn": "signal.DST.ApplyN", "idstn": "signal.DST.InverseN", "fftfreq": "fft.Freq", "rfftfreq": "fft.RFreq",
        "fftshift": "nd.Array.FFTShift, fft.Shift", "ifftshift": "nd.Array.IFFTShift, fft.IShift", "next_fast_len": "fft.NextFastLen, fft.NextFastRealLen",
    },
    "scipy.signal": {
        "convolve": "signal.Convolve.Apply", "correlate": "signal.Convolve.Correlate, signal.Correlate", "fftconvolve": "signal.Convolve{Method: FFTMethod}",
        "oaconvolve": "signal.Convolve{Method: BlockMethod}", "convolve2d": "signal.Convolve.Apply", "correlate2d": "signal.Convolve.Correlate",
        "correlation_lags": "signal.CorrelationLags", "lfilter": "signal.TF.Apply, FilterFrom, signal.ComplexTF", "lfilter_zi": "signal.TF.Steady",
        "filtfilt": "signal.TF.FiltFilt", "sosfilt": "signal.SOS.Apply, FilterFrom`; `signal.ComplexSOS", "sosfilt_zi": "signal.SOS.Steady",
        "sosfiltfilt": "signal.SOS.FiltFilt", "hilbert": "signal.Hilbert", "envelope": "signal.Envelope", "decimate": "signal.Decimate`; a system of your own as `Filter",
        "detrend": "signal.Detrend", "resample": "signal.Resample", "resample_poly": "signal.ResamplePoly", "upfirdn": "signal.UpFirDn",
        "savgol_filter": "signal.SavGol.Apply", "savgol_coeffs": "signal.SavGol.Coefficients", "medfilt": "signal.MedFilt", "medfilt2d": "signal.MedFilt",
        "deconvolve": "signal.Deconvolve", "remez": "signal.Remez", "iircomb": "signal.Comb",
        "wiener": "signal.Wiener", "firwin": "signal.FIR, signal.FIRBands", "firwin2": "signal.FIRGrid", "firls": "signal.LeastSquares",
        "minimum_phase": "signal.MinimumPhase", "kaiserord": "signal.KaiserOrder", "freqz": "signal.TF.Response", "freqz_zpk": "signal.ZPK.Response",
        "freqz_sos": "signal.SOS.Response", "sosfreqz": "signal.SOS.Response", "freqs": "signal.TF.AnalogResponse", "freqs_zpk": "signal.ZPK.AnalogResponse",
        "group_delay": "signal.TF.GroupDelay, signal.SOS.GroupDelay", "iirdesign": "signal.Specification.IIR", "iirfilter": "signal.IIR",
        "butter": "signal.IIR{Family: Butterworth}", "cheby1": "signal.IIR{Family: Chebyshev1}", "cheby2": "signal.IIR{Family: Chebyshev2}",
        "ellip": "signal.IIR{Family: Elliptic}", "bessel": "signal.IIR{Family: Bessel}", "buttord": "signal.Specification.IIR(Butterworth)",
        "cheb1ord": "signal.Specification.IIR(Chebyshev1)", "cheb2ord": "signal.Specification.IIR(Chebyshev2)",
        "ellipord": "signal.Specification.IIR(Elliptic)", "iirnotch": "signal.Notch", "iirpeak": "signal.Peak", "tf2zpk": "signal.TF.ZPK",
        "tf2sos": "signal.TF.SOS", "zpk2tf": "signal.ZPK.TF", "zpk2sos": "signal.ZPK.SOS", "sos2tf": "signal.SOS.TF", "sos2zpk": "signal.SOS.ZPK",
        "periodogram": "signal.Periodogram", "welch": "signal.Welch", "csd": "signal.CSD", "coherence": "signal.Coherence",
        "spectrogram": "signal.Spectrogram", "lombscargle": "signal.LombScargle", "stft": "signal.SciPy(...).Apply", "istft": "signal.SciPy(...).Inverse",
        "ShortTimeFFT": "signal.STFT", "check_COLA": "signal.STFT.COLA", "check_NOLA": "signal.STFT.NOLA", "find_peaks": "signal.FindPeaks",
        "argrelmax": "signal.ArgRelMax", "argrelmin": "signal.ArgRelMin", "peak_prominences": "signal.PeakProminences, signal.FindPeaks{Prominence: Measured()}",
        "peak_widths": "signal.PeakWidths, signal.FindPeaks{Width: Measured()}", "chirp": "signal.Chirp", "sawtooth": "signal.Sawtooth", "square": "signal.Square",
        "czt": "signal.CZT", "CZT": "signal.CZT", "zoom_fft": "signal.ZoomFFT", "ZoomFFT": "signal.ZoomFFT", "get_window": "signal.Window, signal.ParseWindow",
        "argrelextrema": "signal.ArgRelMax, signal.ArgRelMin", "choose_conv_method": "signal.Convolve (which chooses)",
        "bilinear_zpk": "signal.IIR (inside of designs)", "sepfir2d": "signal.Convolve over one axis after another",
    },
    "scipy.signal.windows": {n: f'signal.Window{{Name: "{n}"}}' for n in (
        "barthann bartlett blackman blackmanharris bohman boxcar chebwin cosine dpss exponential flattop gaussian general_gaussian "
        "general_hamming hamming hann kaiser kaiser_bessel_derived lanczos nuttall parzen taylor triang tukey").split()}
    | {"general_cosine": "signal.CosineWindow", "get_window": "signal.Window, signal.ParseWindow"},
    "numpy.linalg": LINALG | {
        "cond": "linalg.Cond", "diagonal": "nd.Einsum(\"ii->i\", a)", "trace": "nd.Einsum(\"ii->\", a)", "eigvalsh": "linalg.EighValues", "matmul": "nd.Array.MatMul", "multi_dot": "nd.Array.MatMul`, one after the other; `nd.Einsum",
        "matrix_norm": "linalg.Norm", "matrix_power": "linalg.MatrixPower", "matrix_rank": "linalg.Rank", "matrix_transpose": "nd.Array.SwapAxes", "outer": "nd.Einsum(\"i,j->ij\", a, b)",
        "slogdet": "linalg.LogDet", "svdvals": "linalg.SingularValues", "tensordot": "nd.Einsum", "vecdot": "nd.Array.Dot` of `a.Conj()", "vector_norm": "nd.Array.Norm",
    },
    "scipy.linalg": LINALG | {
        "block_diag": "linalg.BlockDiag", "cho_factor": "linalg.Cholesky", "cho_solve": "linalg.CholeskySolve", "circulant": "linalg.Circulant", "dft": "linalg.DFT",
        "eigh": "linalg.Eigh, linalg.GeneralizedEigh", "eigvalsh": "linalg.EighValues", "expm": "linalg.Expm", "hankel": "linalg.Hankel", "lu": "linalg.LU", "matmul_toeplitz": "linalg.ToeplitzMul",
        "schur": "linalg.Schur", "solve_circulant": "linalg.CirculantSolve", "solve_toeplitz": "linalg.ToeplitzSolve", "solve_triangular": "linalg.TriangularSolve",
        "svdvals": "linalg.SingularValues", "toeplitz": "linalg.Toeplitz", "rsf2csf": "linalg.Schur`, of a matrix cast to `nd.Complex128", "pinvh": "linalg.Pinv` with `linalg.RankOptions{Hermitian: true}",
    },
    "librosa.core": {
        "stft": "signal.Librosa(...).Apply", "istft": "signal.Librosa(...).Inverse", "load": "audio.Open, audio.ReadAll", "stream": "audio.Chunks",
        "amplitude_to_db": "signal.AmplitudeToDB", "power_to_db": "signal.PowerToDB", "db_to_amplitude": "signal.DBToAmplitude",
        "db_to_power": "signal.DBToPower", "griffinlim": "signal.GriffinLim", "cqt": "signal.ConstantQ", "pyin": "measure.PYIN", "yin": "measure.YIN", "phase_vocoder": "signal.PhaseVocoder", "resample": "signal.ResamplePoly",
        "hz_to_mel": "signal.HzToMel", "mel_to_hz": "signal.MelToHz", "fft_frequencies": "signal.STFT.Frequencies", "chirp": "signal.Chirp",
        "magphase": "nd.Array.Abs, nd.Array.Angle", "A_weighting": "signal.Weighting.Gain, in decibels", "C_weighting": "signal.Weighting.Gain, in decibels",
        "cqt_frequencies": "signal.ConstantQ.Frequencies", "frames_to_time": "signal.STFT.Times",
        "times_like": "signal.STFT.Times", "samples_to_frames": "signal.STFT.Frames", "get_duration": "audio.Open, File.Info", "get_samplerate": "audio.Open, File.Info",
        "pcen": "signal.PCEN.Apply, ApplyFrom", "piptrack": "signal.PipTrack", "estimate_tuning": "measure.Tuning.Apply", "pitch_tuning": "measure.Tuning.Of",
        "icqt": "signal.ConstantQ.Inverse", "hz_to_midi": "signal.HzToMIDI", "midi_to_hz": "signal.MIDIToHz", "hz_to_note": "signal.HzToNote",
        "note_to_hz": "signal.NoteToHz", "midi_to_note": "signal.MIDIToNote", "note_to_midi": "signal.NoteToMIDI",
        "mu_compress": "signal.MuLaw.Apply", "mu_expand": "signal.MuLaw.Inverse", "lpc": "signal.LPC`; by an autocorrelation `linalg.Levinson", "mel_frequencies": "signal.Mel.Frequencies",
        "tuning_to_A4": "signal.TuningToA4", "A4_to_tuning": "signal.A4ToTuning",
        "to_mono": "nd.Array.Mean", "autocorrelate": "signal.Correlate",
    },
    "librosa.feature": {
        "melspectrogram": "signal.Mel.Apply", "mfcc": "signal.Mel.MFCC, signal.Cepstrum", "chroma_stft": "signal.Chroma.Apply`, for a given `Tuning", "chroma_cqt": "signal.ChromaCQT.Apply`, for a given `Tuning", "tonnetz": "signal.Tonnetz", "tempo": "measure.Beats",
        "spectral_centroid": "signal.Centroid", "spectral_bandwidth": "signal.Bandwidth", "spectral_rolloff": "signal.Rolloff",
        "spectral_contrast": "signal.Contrast", "spectral_flatness": "signal.Flatness", "rms": "signal.RMS",
        "zero_crossing_rate": "signal.ZeroCrossingRate", "delta": "signal.Delta", "tempogram": "signal.Tempogram",
    },
    "librosa.beat": {"beat_track": "measure.Beats"},
    "librosa.onset": {"onset_detect": "measure.Onsets", "onset_backtrack": "measure.Onsets{Backtrack: true}", "onset_strength": "signal.Onset, signal.OnsetStrength"},
    "librosa.decompose": {"hpss": "signal.HPSS"},
    "librosa.filters": {"mel": "signal.Mel.FilterBank", "chroma": "signal.Chroma.FilterBank", "cq_to_chroma": "signal.ChromaCQT.FilterBank", "get_window": "signal.Window"},
    "librosa.effects": {"time_stretch": "signal.TimeStretch", "pitch_shift": "signal.PitchShift", "hpss": "signal.HPSS",
                        "harmonic": "signal.HPSS", "trim": "measure.Silence.Trim", "split": "measure.Silence.Split", "percussive": "signal.HPSS",
                        "preemphasis": "signal.TF{B: {1, -0.97}, A: {1}}.FilterFrom", "deemphasis": "signal.TF{B: {1}, A: {1, -0.97}}.FilterFrom"},
}


def public(module):
    names = set(getattr(module, "__all__", None) or [n for n in dir(module) if not n.startswith("_")])
    names |= {n for n, f in vars(module).items() if inspect.isfunction(f) and f.__module__ == module.__name__ and not n.startswith("_")}
    return sorted((n for n in names if callable(getattr(module, n)) and not inspect.ismodule(getattr(module, n))
                   and not (inspect.isclass(getattr(module, n)) and issubclass(getattr(module, n), Exception))), key=lambda n: (n.lower(), n))


print("""# From SciPy and librosa

Every public function of `scipy.signal`, `scipy.fft`, `numpy.linalg`, `scipy.linalg` and librosa (core, feature, beat, onset,
decompose, filters, effects), with its name in Twiddle. "not here" means that there is none yet: open an issue if you
need it. Options have the names and the defaults of the original wherever they mean the same;
`signal.Zero` and `signal.None` say 0 where 0 stands for the default.

Made by `bench/peersuite/from_scipy.py`, which checks the names against the installed packages.""")
for title, table in HERE.items():
    module = {"scipy.fft": scipy.fft, "numpy.linalg": np.linalg, "scipy.linalg": scipy.linalg, "scipy.signal": scipy.signal, "scipy.signal.windows": scipy.signal.windows, "librosa.core": librosa.core,
              "librosa.feature": librosa.feature, "librosa.beat": librosa.beat, "librosa.onset": librosa.onset, "librosa.decompose": librosa.decompose,
              "librosa.filters": librosa.filters, "librosa.effects": librosa.effects}[title]
    names = public(module)
    unknown = set(table) - set(names)
    if unknown:
        sys.exit(f"{title} has no {unknown}")
    here = sum(n in table for n in names)
    print(f"\n## {title}\n\n{here} of {len(names)} are here.\n\n| {title} | Twiddle |\n|---|---|")
    for n in names:
        print(f"| `{n}` | {'`' + table[n] + '`' if n in table else 'not here'} |")
