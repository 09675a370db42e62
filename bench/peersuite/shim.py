"""A pytest plugin that sends functions of SciPy and NumPy to Twiddle.

    python run.py

starts the server (go build), patches the functions below before tests are imported, and counts. A
call that Twiddle has no form for raises NotHere, so that the test counts as missing and not as
wrong. Integers and float16 are cast, as their own functions do.
"""

import atexit
import json
import operator
import os
import struct
import subprocess
import threading

import numpy as np


class NotHere(Exception):
    """Twiddle has no such function, or not with these arguments."""


class Server:
    def __init__(self, path):
        self.path, self.process, self.lock = path, None, threading.Lock()

    def start(self):
        self.process = subprocess.Popen([self.path], stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        atexit.register(self.process.kill)

    def __call__(self, op, arrays=(), **args):
        with self.lock:
            return self.call(op, arrays, args)

    def call(self, op, arrays, args):
        if self.process is None or self.process.poll() is not None:
            self.start()
        arrays = [np.ascontiguousarray(a) if np.ndim(a) else np.asarray(a) for a in arrays]
        text = {}
        for k, v in args.items():
            if v is None:
                continue
            if isinstance(v, (float, np.floating)) and not np.isfinite(v):
                v = str(float(v))
            elif isinstance(v, (np.integer, np.floating, np.bool_)):
                v = v.item()
            text[k] = v
        head = json.dumps({"op": op, "args": text, "arrays": [{"dtype": str(a.dtype), "shape": list(a.shape)} for a in arrays]}).encode()
        out = self.process.stdin
        out.write(struct.pack("<I", len(head)) + head)
        for a in arrays:
            out.write(a.tobytes())
        out.flush()
        read = self.process.stdout.read
        size = read(4)
        if len(size) < 4:
            raise RuntimeError("the server is gone")
        answer = json.loads(read(struct.unpack("<I", size)[0]))
        if "error" in answer:
            raise ValueError(answer["error"])
        result = []
        for h in answer.get("arrays", []):
            t = np.dtype(h["dtype"])
            n = int(np.prod(h["shape"], dtype=int))
            result.append(np.frombuffer(read(n * t.itemsize), t).reshape(h["shape"]).copy())
        return result


server = Server(os.environ.get("TWIDDLE_PEERSUITE", "./peersuite"))


def floats(x, complex_too=True):
    """An array of a type that Twiddle has."""
    if not isinstance(x, (np.ndarray, list, tuple, int, float, complex, np.generic)):
        raise NotHere(f"arrays of {type(x)}")
    x = np.asarray(x)
    if x.dtype == np.float16:
        return x.astype(np.float32)
    if x.dtype.kind in "iub":
        return x.astype(np.float64)
    if x.dtype.byteorder == ">":
        x = x.astype(x.dtype.newbyteorder("<"))
    if x.dtype not in (np.float32, np.float64, np.complex64, np.complex128):
        raise NotHere(f"elements of {x.dtype}")
    if x.dtype.kind == "c" and not complex_too:
        raise NotHere("complex elements")
    return x


def alike(*arrays):
    arrays = [floats(a) for a in arrays]
    t = np.result_type(*arrays)
    return [a.astype(t) for a in arrays]


def put(y, out):
    if out is None:
        return y
    if not isinstance(out, np.ndarray):
        raise TypeError("return arrays must be of ArrayType")
    if out.shape != y.shape:
        raise ValueError("output array has wrong shape.")
    if not np.can_cast(y.dtype, out.dtype, "same_kind"):
        raise TypeError("Cannot cast ufunc 'fft' output")
    out[...] = y
    return out


def check_norm(norm):
    if norm not in (None, "backward", "ortho", "forward"):
        raise ValueError(f"Invalid norm value {norm!r}; should be \"backward\", \"ortho\" or \"forward\"")


def fft_of(name, real, complex_in):
    def f(x, n=None, axis=-1, norm=None, overwrite_x=False, workers=None, out=None, *, plan=None):
        if plan is not None:
            raise NotImplementedError("plan")
        check_norm(norm)
        x = floats(x)
        if real and x.dtype.kind == "c":
            raise TypeError("x must be a real sequence")
        if complex_in and x.dtype.kind != "c":
            x = x.astype(np.result_type(x, np.complex64))
        if (n if n is not None else x.shape[axis] if x.ndim else 1) < 1:
            raise ValueError("Invalid number of FFT data points (0) specified.")
        if x.ndim and x.shape[axis] == 0:
            raise NotHere("a transform of no elements")
        return put(server(name, [x], n=n, axis=axis, norm=norm)[0], out)
    f.__name__ = name
    return f


def fftn_of(name, real, complex_in, default=None):
    def f(x, s=None, axes=default, norm=None, overwrite_x=False, workers=None, out=None, *, plan=None):
        if plan is not None:
            raise NotImplementedError("plan")
        check_norm(norm)
        x = floats(x)
        if real and x.dtype.kind == "c":
            raise TypeError("x must be a real sequence")
        if complex_in and x.dtype.kind != "c":
            x = x.astype(np.result_type(x, np.complex64))
        axes = None if axes is None else [int(v) for v in np.atleast_1d(axes)]
        if s is not None: # -1 and None stand for what there is
            s = list(np.atleast_1d(np.asarray(s, dtype=object)))
            at = axes if axes is not None else list(range(x.ndim - len(s), x.ndim))
            if len(at) != len(s):
                raise ValueError("when given, axes and shape arguments have to be of the same length")
            s = [x.shape[a] if v is None or v == -1 else int(v) for v, a in zip(s, at)]
            if any(v < 1 for v in s):
                raise ValueError(f"invalid number of data points ({s})")
        if axes == [] or s == []:
            raise NotHere("no axes")
        if axes is not None and len({a % x.ndim for a in axes}) < len(axes):
            raise NotHere("an axis twice")
        return put(server(name, [x], shape=s, axes=axes, norm=norm)[0], out)
    f.__name__ = name
    return f


def trig_of(name, sine, inverse):
    def f(x, type=2, n=None, axis=-1, norm=None, overwrite_x=False, workers=None, orthogonalize=None):
        check_norm(norm)
        x = floats(x)
        if type not in (1, 2, 3, 4):
            raise ValueError(f"invalid type {type}")

        def once(v):
            return server("dct", [v], type=type, n=n, axis=axis, norm=norm, sine=sine, inverse=inverse, orthogonalize=orthogonalize)[0]
        if x.dtype.kind == "c":
            return once(x.real) + 1j * once(x.imag)
        return once(x)
    f.__name__ = name
    return f


def trign_of(name, sine, inverse):
    once = trig_of(name, sine, inverse)

    def f(x, type=2, s=None, axes=None, norm=None, overwrite_x=False, workers=None, *, orthogonalize=None):
        x = np.asarray(x)
        if s is not None:
            s = [int(v) for v in np.atleast_1d(s)]
        if axes is None:
            axes = list(range(x.ndim)) if s is None else list(range(x.ndim - len(s), x.ndim))
        axes = [int(v) for v in np.atleast_1d(axes)]
        if s is not None and len(s) != len(axes):
            raise ValueError("when given, axes and shape arguments have to be of the same length")
        if len(set(a % max(x.ndim, 1) for a in axes)) != len(axes):
            raise ValueError("all axes must be unique")
        for i, a in enumerate(axes):
            x = once(x, type, None if s is None else s[i], a, norm, orthogonalize=orthogonalize)
        return x
    f.__name__ = name
    return f


def convolve_of(name, correlate=False, fixed=None):
    def f(in1, in2, mode="full", method="auto", axes=None, **more):
        if more:
            raise NotHere(str(more))
        if fixed:
            method = fixed
        if method not in ("auto", "direct", "fft", "blocks"):
            raise ValueError("Acceptable method flags are 'auto', 'direct', or 'fft'.")
        if mode not in ("full", "same", "valid"):
            raise ValueError("acceptable mode flags are 'valid', 'same', or 'full'")
        a, b = np.asarray(in1), np.asarray(in2)
        whole = a.dtype.kind in "iub" and b.dtype.kind in "iub"
        if a.ndim == b.ndim == 0:
            return a * (b.conj() if correlate else b)
        if a.ndim != b.ndim:
            raise ValueError("in1 and in2 should have the same dimensionality")
        if a.size == 0 or b.size == 0:
            return np.array([])
        a, b = alike(in1, in2)
        if axes is not None:
            axes = np.atleast_1d(axes)
            if axes.ndim > 1:
                raise ValueError("axes must be a scalar or iterable of integers")
            axes = [int(v) for v in axes]
            if not axes:
                raise ValueError("when provided, axes cannot be empty")
        y = server("convolve", [a, b], mode=mode, method=method, correlate=correlate, axes=axes)[0]
        if whole and (fixed is None or a.size == b.size == 1):
            return np.rint(y).astype(np.result_type(np.asarray(in1), np.asarray(in2)))
        return y
    f.__name__ = name
    return f


def coefficients(**arrays):
    out = []
    for name, a in arrays.items():
        a = np.atleast_1d(floats(a))
        if a.ndim != 1:
            raise ValueError(f"Parameter {name} is not one-dimensional, since its shape is {a.shape}!")
        if a.size == 0:
            raise ValueError(f"Parameter {name} is not one-dimensional or empty!")
        out.append(a)
    t = np.complex128 if any(a.dtype.kind == "c" for a in out) else np.float64
    return [a.astype(t) for a in out]


def widened(x, *others):
    """x in the precision that SciPy computes in: that of samples and coefficients together."""
    x = floats(x)
    return x.astype(np.result_type(x, *[floats(o).real for o in others]))


def result(y, *arrays):
    return y.astype(np.result_type(*[floats(a) for a in arrays]))


def lfilter(b, a, x, axis=-1, zi=None):
    for v in (b, a, x, zi):
        if getattr(v, "dtype", None) == object:
            raise NotHere("objects")
    cb, ca = coefficients(b=b, a=a)
    if ca[0] == 0:
        raise ValueError("a[0] is 0")
    v = widened(x, b, a)
    if cb.dtype.kind == "c":
        v = v.astype(np.result_type(v, np.complex64))
    if v.ndim == 0:
        raise ValueError("object of too small depth for desired array")
    if zi is None:
        return result(server("lfilter", [v, cb, ca], axis=axis)[0], b, a, x)
    order = max(len(cb), len(ca)) - 1
    z = floats(zi)
    want = list(v.shape)
    want[axis] = order
    if z.ndim != v.ndim or any(p not in (q, 1) for p, q in zip(z.shape, want)) or z.shape[axis] != order:
        raise ValueError(f"Unexpected shape for zi: expected {want}, found {z.shape}")
    if order == 0:
        y = lfilter(b, a, x, axis)
        return y, np.zeros(want, y.dtype)
    if z.dtype.kind == "c" and v.dtype.kind != "c":
        v = v.astype(np.complex128)
    y, end = server("lfilter", [np.moveaxis(v, axis, -1), cb, ca, np.moveaxis(np.broadcast_to(z, want), axis, -1)])
    return result(np.moveaxis(y, -1, axis), b, a, x, zi), result(np.moveaxis(end, -1, axis), b, a, x, zi)


def lfilter_zi(b, a):
    return result(server("lfilter_zi", coefficients(b=b, a=a))[0], b, a)


def check_sos(sos):
    sos = np.atleast_2d(floats(sos))
    if sos.ndim != 2 or sos.shape[1] != 6:
        raise ValueError("sos array must be shape (n_sections, 6)")
    if not (sos[:, 3] == 1).all():
        raise ValueError("sos[:, 3] should be all ones")
    if sos.dtype.kind == "c":
        raise NotHere("complex coefficients")
    return sos.astype(np.float64)


def sosfilt(sos, x, axis=-1, zi=None):
    s, v = check_sos(sos), widened(x, sos)
    if v.ndim == 0:
        raise ValueError("x must be at least 1D")
    if zi is not None:
        v = widened(v, zi)
    if zi is None:
        return result(server("sosfilt", [v, s], axis=axis)[0], sos, x)
    z = floats(zi)
    want = list(v.shape)
    want[axis] = 2
    want = [len(s)] + want
    if list(z.shape) != want:
        raise ValueError(f"Invalid zi shape. With axis={axis!r}, an input with shape {v.shape!r}, and an sos array with {len(s)} sections")
    at = axis if axis < 0 else axis + 1
    if z.dtype.kind == "c" and v.dtype.kind != "c":
        v = v.astype(np.complex128)
    z = np.moveaxis(np.moveaxis(z, at, -1), 0, -2)
    y, end = server("sosfilt", [np.moveaxis(v, axis, -1), s, z])
    end = np.moveaxis(np.moveaxis(end, -2, 0), -1, at)
    return result(np.moveaxis(y, -1, axis), sos, x, zi), result(end, sos, x, zi)


def padding(padtype, padlen, n, edge):
    if padtype not in ("odd", "even", "constant", None):
        raise ValueError(f"Unknown value '{padtype}' given to padtype.")
    if padtype is None:
        return None, None
    if padlen is None:
        padlen = edge
    if n <= padlen:
        raise ValueError(f"The length of the input vector x must be greater than padlen, which is {padlen}.")
    return padtype, padlen


def filtfilt(b, a, x, axis=-1, padtype="odd", padlen=None, method="pad", irlen=None):
    if method not in ("pad", "gust"):
        raise ValueError("method must be 'pad' or 'gust'.")
    cb, ca = coefficients(b=b, a=a)
    v = floats(x)
    if method == "gust":
        if cb.dtype.kind == "c":
            raise NotHere("Gustafsson's method with complex coefficients")
        return server("filtfilt", [v, cb, ca], axis=axis, gust=True, irlen=irlen)[0]
    padtype, padlen = padding(padtype, padlen, v.shape[axis], 3 * max(len(cb), len(ca)))
    return server("filtfilt", [v, cb, ca], axis=axis, padtype=edged(padtype), padlen=padlen)[0]


def sosfiltfilt(sos, x, axis=-1, padtype="odd", padlen=None):
    s, v = check_sos(sos), floats(x)
    edge = 3 * (2 * len(s) + 1 - min((s[:, 2] == 0).sum(), (s[:, 5] == 0).sum()))
    padtype, padlen = padding(padtype, padlen, v.shape[axis], edge)
    return server("sosfiltfilt", [v, s], axis=axis, padtype=edged(padtype), padlen=padlen)[0]


def edged(padtype):
    return "edge" if padtype == "constant" else padtype


def window_text(w):
    if isinstance(w, str):
        return {"ones": "boxcar", "rect": "boxcar"}.get(w, w)
    if isinstance(w, tuple) and w and isinstance(w[0], str) and all(isinstance(v, (int, float)) for v in w[1:]):
        if w[0] in ("exponential", "taylor", "general_cosine"):
            raise NotHere(str(w))
        return ":".join([w[0]] + [repr(float(v)) for v in w[1:]])
    if isinstance(w, (int, float)):
        return f"kaiser:{float(w)}"
    raise NotHere(f"window {w}")


def resample_poly(x, up, down, axis=0, window=("kaiser", 5.0), padtype="constant", cval=None):
    if cval:
        raise NotHere("cval")
    if up != int(up) or down != int(down):
        raise ValueError("up and down must be integers")
    if padtype not in ("constant", "mean", "median", "maximum", "minimum", *MODES):
        raise ValueError(f"padtype {padtype}")
    v = floats(x)
    if isinstance(window, (list, np.ndarray)):
        h = floats(window)
        if h.ndim > 1:
            raise ValueError("window must be 1-D")
        return result(server("resample_poly", [v, *coefficients(h=h)], up=int(up), down=int(down), axis=axis, padtype=padtype)[0], x)
    return result(server("resample_poly", [v], up=int(up), down=int(down), axis=axis, padtype=padtype, window=window_text(window))[0], x)


MODES = ("line", "edge", "smooth", "reflect", "symmetric", "wrap", "antisymmetric", "antireflect")


def resample(x, num, t=None, axis=0, window=None, domain="time"):
    if domain not in ("time", "freq"):
        raise ValueError(f"Parameter {domain=} not in ('time', 'freq')!")
    v = floats(x)
    n = v.shape[axis]
    arrays, text = [v], None
    if callable(window):
        arrays.append(np.asarray(window(np.fft.fftfreq(n)), float))
    elif isinstance(window, np.ndarray):
        if window.shape != (n,):
            raise ValueError(f"{window.shape=} != ({n},), i.e., window length is not equal to number of frequency bins!")
        arrays.append(window.astype(float))
    elif window is not None:
        text = window_text(window)
    y = server("resample", arrays, num=int(num), axis=axis, window=text, spectrum=domain == "freq")[0]
    return y if t is None else (y, t[0] + (t[1] - t[0]) * n / num * np.arange(num))


def upfirdn(h, x, up=1, down=1, axis=-1, mode="constant", cval=0):
    if mode == "constant" and cval:
        raise NotHere("cval")
    c = np.asarray(h)
    if c.ndim != 1 or c.size == 0:
        raise ValueError("h must be 1-D with non-zero length")
    c = floats(c)
    c = c.astype(np.complex128 if c.dtype.kind == "c" else np.float64)
    return result(server("upfirdn", [widened(x, h), c], up=int(up), down=int(down), axis=axis, mode=mode)[0], h, x)


def savgol_filter(x, window_length, polyorder, deriv=0, delta=1.0, axis=-1, mode="interp", cval=0.0):
    if mode not in ("mirror", "constant", "nearest", "interp", "wrap"):
        raise ValueError("mode must be 'mirror', 'constant', 'nearest' 'wrap' or 'interp'.")
    if cval:
        raise NotHere("cval")
    if mode == "interp" and window_length > np.asarray(x).shape[axis]:
        raise ValueError("If mode is 'interp', window_length must be less than or equal to the size of x.")
    return server("savgol", [floats(x, False)], window=window_length, order=polyorder, deriv=deriv, delta=float(delta), axis=axis, mode=mode)[0]


def medfilt(volume, kernel_size=None):
    v = np.atleast_1d(np.asarray(volume))
    size = [3] * v.ndim if kernel_size is None else [int(k) for k in np.atleast_1d(kernel_size)]
    if len(size) == 1:
        size = size * v.ndim
    if any(k % 2 == 0 for k in size):
        raise ValueError("Each element of kernel_size should be odd.")
    if v.dtype.kind not in "fiu" or v.dtype.itemsize > 8 or v.dtype == np.float16:
        raise ValueError(f"dtype={v.dtype} is not supported by medfilt")
    return server("medfilt", [floats(v)], sizes=size)[0].astype(v.dtype)


def medfilt2d(input, kernel_size=3):
    return medfilt(input, kernel_size)


def decimate(x, q, n=None, ftype="iir", axis=-1, zero_phase=True):
    q = operator.index(q)
    if n is not None:
        n = operator.index(n)
    if np.asarray(x).dtype == np.float16:
        x = np.asarray(x, np.float64)
    if ftype not in ("iir", "fir"):
        raise NotHere("systems")
    return server("decimate", [floats(x)], q=int(q), n=n, fir=ftype == "fir", delay=not zero_phase, axis=axis)[0]


def detrend(data, axis=-1, type="linear", bp=0, overwrite_data=False):
    if type not in ("linear", "l", "constant", "c"):
        raise ValueError("Trend type must be 'linear' or 'constant'.")
    if type in ("linear", "l") and not np.array_equal(np.atleast_1d(bp), [0]):
        if np.any(np.atleast_1d(bp) > np.asarray(data).shape[axis]):
            raise ValueError("Breakpoints must be less than length of data along given axis.")
        return server("detrend", [floats(data)], type="linear", breakpoints=[int(b) for b in np.atleast_1d(bp) if 0 < b < np.asarray(data).shape[axis]], axis=axis)[0]
    return server("detrend", [floats(data)], type={"l": "linear", "c": "constant"}.get(type, type), axis=axis)[0]


FAMILIES = {"butter": "butterworth", "butterworth": "butterworth", "cheby1": "chebyshev1", "cheby2": "chebyshev2",
            "ellip": "elliptic", "bessel": "bessel", "chebyshev1": "chebyshev1", "chebyshev2": "chebyshev2"}


def design(family, order, edges, band, output, fs, analog, ripple=0, attenuation=0, norm=None):
    bands = {"low": "lowpass", "lowpass": "lowpass", "lp": "lowpass", "high": "highpass", "highpass": "highpass", "hp": "highpass",
             "band": "bandpass", "bandpass": "bandpass", "pass": "bandpass", "bp": "bandpass",
             "stop": "bandstop", "bandstop": "bandstop", "bs": "bandstop"}
    if output not in ("ba", "zpk", "sos"):
        raise ValueError(f"{output!r} is not a valid output form.")
    if str(band).lower() not in bands:
        raise ValueError(f"{band!r} is an invalid bandtype for filter.")
    edges = np.atleast_1d(floats(edges))
    if edges.ndim != 1 or order != int(order) or output == "sos" and analog or order == 0 or family == "bessel" and order > 25:
        raise NotHere("such a design")
    if analog and fs is not None:
        raise ValueError("fs cannot be specified for an analog filter")
    out = server("iir", [edges], family=family, order=int(order), band=bands[str(band).lower()], output=output, fs=fs, analog=bool(analog),
                 ripple=float(ripple or 0), attenuation=float(attenuation or 0), norm=norm)
    if output == "sos":
        return out[0]
    if output == "ba":
        return out[0], out[1]
    z, p, k = out
    # SciPy's zeros are real unless designs go by bands.
    return z.real if not z.imag.any() and bands[str(band).lower()] in ("lowpass", "highpass") else z, p, k[0]


def butter(N, Wn, btype="low", analog=False, output="ba", fs=None):
    return design("butterworth", N, Wn, btype, output, fs, analog)


def cheby1(N, rp, Wn, btype="low", analog=False, output="ba", fs=None):
    return design("chebyshev1", N, Wn, btype, output, fs, analog, ripple=rp)


def cheby2(N, rs, Wn, btype="low", analog=False, output="ba", fs=None):
    return design("chebyshev2", N, Wn, btype, output, fs, analog, attenuation=rs)


def ellip(N, rp, rs, Wn, btype="low", analog=False, output="ba", fs=None):
    return design("elliptic", N, Wn, btype, output, fs, analog, ripple=rp, attenuation=rs)


def remez(numtaps, bands, desired, *, weight=None, type="bandpass", maxiter=25, grid_density=16, fs=None):
    b, d = np.asarray(bands, float).ravel(), np.asarray(desired, float).ravel()
    if type not in ("bandpass", "differentiator", "hilbert"):
        raise ValueError("Type must be 'bandpass', 'differentiator', or 'hilbert'")
    if len(b) % 2 or len(d) * 2 != len(b):
        raise ValueError("bands and desired do not fit")
    w = np.ones(len(d)) if weight is None else np.asarray(weight, float).ravel()
    return server("remez", [b, d, w], n=int(numtaps), kind=type, density=int(grid_density), fs=float(1 if fs is None else fs))[0]


def iircomb(w0, Q, ftype="notch", fs=2.0, *, pass_zero=False, xp=None, device=None):
    if ftype not in ("notch", "peak"):
        raise ValueError("ftype must be either notch or peak.")
    return tuple(server("comb", frequency=float(w0), quality=float(Q), keep=ftype == "peak", fs=float(fs), passzero=bool(pass_zero)))


def notch_of(name, keep):
    def f(w0, Q, fs=2.0, *, xp=None, device=None):
        return tuple(server("notch", frequency=float(w0), quality=float(Q), fs=float(fs), keep=keep))
    f.__name__ = name
    return f


def bessel(N, Wn, btype="low", analog=False, output="ba", norm="phase", fs=None):
    return design("bessel", N, Wn, btype, output, fs, analog, norm=norm)


def firls(numtaps, bands, desired, *, weight=None, fs=None):
    b, d = np.asarray(bands, float).ravel(), np.asarray(desired, float).ravel()
    if numtaps % 2 == 0 or numtaps < 1:
        raise ValueError("numtaps must be odd and >= 1")
    if len(b) % 2 or len(b) != len(d):
        raise ValueError("bands and desired do not fit")
    w = np.ones(len(b) // 2) if weight is None else np.asarray(weight, float).ravel()
    return server("firls", [b, d, w], n=int(numtaps), fs=float(2 if fs is None else fs))[0]


def firwin2(numtaps, freq, gain, *, nfreqs=None, window="hamming", antisymmetric=False, fs=None):
    if antisymmetric:
        raise NotHere("antisymmetric")
    if window is None:
        window = "boxcar"
    f, g = np.asarray(freq, float), np.asarray(gain, float)
    return server("firwin2", [f, g], n=int(numtaps), nfreqs=nfreqs, window=window_text(window), fs=float(2 if fs is None else fs))[0]


def firwin(numtaps, cutoff, *, width=None, window="hamming", pass_zero=True, scale=True, fs=None):
    import scipy.signal
    fs = float(2 if fs is None else fs)
    edges = np.atleast_1d(np.asarray(cutoff, float))
    if edges.ndim > 1:
        raise ValueError("The cutoff argument must be at most one-dimensional.")
    if isinstance(pass_zero, str):
        kinds = {"lowpass": (True, 1), "bandstop": (True, 2), "highpass": (False, 1), "bandpass": (False, 2)}
        if pass_zero not in kinds:
            raise ValueError(f"pass_zero={pass_zero!r}")
        zero, least = kinds[pass_zero]
        if (least == 1) != (edges.size == 1):
            raise ValueError(f"{pass_zero} with {edges.size} edges")
        pass_zero = zero
    elif not isinstance(pass_zero, (bool, np.bool_)) and pass_zero not in (0, 1):
        raise ValueError(f"pass_zero={pass_zero!r}")
    if width is not None:
        window = ("kaiser", scipy.signal.kaiser_beta(scipy.signal.kaiser_atten(numtaps, float(width) / (fs / 2))))
    return server("firwin", [edges], n=int(numtaps), window=window_text(window), passzero=bool(pass_zero), scale=bool(scale), fs=fs)[0]


def hilbert(x, N=None, axis=-1):
    v = floats(x)
    if v.dtype.kind == "c":
        raise ValueError("x must be real.")
    if N is not None and N <= 0:
        raise ValueError("N must be positive.")
    return server("hilbert", [v], n=N, axis=axis)[0]


def czt(x, m=None, w=None, a=1 + 0j, *, axis=-1):
    v = floats(x)
    if m is not None and (not isinstance(m, (int, np.integer)) or m < 1):
        raise ValueError(f"Invalid number of CZT output points ({m})")
    if np.asarray(v).shape[axis] < 1:
        raise ValueError("Invalid number of CZT data points")
    w = 0 if w is None else complex(w)
    return server("czt", [v], m=m, wr=w.real if w else 0.0, wi=w.imag if w else 0.0, ar=complex(a).real, ai=complex(a).imag, axis=axis)[0]


FFT = {"fft": (False, False), "ifft": (False, False), "rfft": (True, False), "irfft": (False, True), "hfft": (False, True), "ihfft": (True, False)}
TRIG = {"dct": (False, False), "idct": (False, True), "dst": (True, False), "idst": (True, True)}


def install():
    import scipy.fft
    import scipy.signal
    from scipy._lib._array_api import xp_capabilities_table

    def setattr(module, name, f):
        # SciPy's tests look up what a function can do.
        old = getattr(module, name)
        if old in xp_capabilities_table:
            xp_capabilities_table[f] = xp_capabilities_table[old]
        module.__dict__[name] = f
    for name, (real, cplx) in FFT.items():
        f = fft_of(name, real, cplx)
        setattr(scipy.fft, name, f)
        setattr(np.fft, name, f)
        for dims, default in (("n", None), ("2", (-2, -1))):
            g = fftn_of(name + "n", real, cplx, default)
            setattr(scipy.fft, name + dims, g)
            if name not in ("hfft", "ihfft"):
                setattr(np.fft, name + dims, g)
    for name, (sine, inverse) in TRIG.items():
        setattr(scipy.fft, name, trig_of(name, sine, inverse))
        setattr(scipy.fft, name + "n", trign_of(name + "n", sine, inverse))
    signal = {"convolve": convolve_of("convolve"), "correlate": convolve_of("correlate", True),
              "fftconvolve": convolve_of("fftconvolve", fixed="fft"), "oaconvolve": convolve_of("oaconvolve", fixed="blocks")}
    signal["iirnotch"], signal["iirpeak"] = notch_of("iirnotch", False), notch_of("iirpeak", True)
    for f in (resample, remez, iircomb, bessel, firls, firwin2, firwin, hilbert, lfilter, lfilter_zi, sosfilt, filtfilt, sosfiltfilt, resample_poly, upfirdn, savgol_filter, medfilt, medfilt2d, decimate,
              detrend, butter, cheby1, cheby2, ellip, czt):
        signal[f.__name__] = f
    for name, f in signal.items():
        setattr(scipy.signal, name, f)
    return sorted(signal)


missing = {}


install()  # before tests are imported


def pytest_runtest_makereport(item, call):
    if call.excinfo is not None:
        e = call.excinfo.value
        while e is not None:
            if isinstance(e, NotHere):
                missing[item.nodeid] = str(e)
                return
            e = e.__cause__ or e.__context__


def pytest_terminal_summary(terminalreporter):
    stats = {k: len(v) for k, v in terminalreporter.stats.items() if k in ("passed", "failed", "skipped", "error", "xfailed", "deselected")}
    failed = {r.nodeid for r in terminalreporter.stats.get("failed", [])}
    absent = sorted(failed & set(missing))
    path = os.environ.get("TWIDDLE_PEERSUITE_REPORT")
    if path:
        with open(path, "w") as f:
            json.dump({"counts": stats, "missing": {n: missing[n] for n in absent}, "wrong": sorted(failed - set(absent))}, f, indent=1)
