package main

import (
	"errors"
	"fmt"
	"math"
	"slices"

	"github.com/spf13/cobra"

	"github.com/twiddle-go/twiddle/audio"
	"github.com/twiddle-go/twiddle/audio/npy"
	"github.com/twiddle-go/twiddle/fft"
	"github.com/twiddle-go/twiddle/nd"
)

// fftRequest is what the fft verb was asked for.
type fftRequest struct {
	in, out string
	inverse bool
	real    bool
	n       int // 0 means as the input has it
	axis    int
	norm    fft.Norm
	fortran bool
	device  *nd.Device // nil is the CPU
	open    audio.Options
}

func newFFTCommand() *cobra.Command {
	c := &cobra.Command{
		Use:   "fft FILE --out b.npy",
		Short: "Transform an array or a recording along one axis",
		Long: "Transform an array along one axis, as numpy.fft.fft, ifft, rfft (--real) and irfft\n" +
			"(--real --inverse) do. FILE is .npy, WAV, FLAC, or - for a pipe; a recording is an\n" +
			"array of shape (channels, frames), or (frames) if it has one channel. float16, float32\n" +
			"and complex64 are transformed in single precision, every other dtype in double.",
		Example: "  twiddle fft a.npy --out b.npy\n" +
			"  twiddle fft a.wav --real --norm ortho --out b.npy\n" +
			"  twiddle fft b.npy --real --inverse --out a.npy",
	}
	var r fftRequest
	var norm, order, device string
	f := c.Flags()
	f.StringVar(&r.in, "in", "", "the file to read, as FILE")
	f.StringVar(&r.out, "out", "", "the .npy file to write (required)")
	f.BoolVar(&r.inverse, "inverse", false, "inverse transform")
	f.BoolVar(&r.real, "real", false, "the signal is real: n samples to n/2+1 bins, or back")
	f.IntVar(&r.n, "n", 0, "length of the transform: longer input is cut, shorter is padded with zeros (default: that of the input)")
	f.IntVar(&r.axis, "axis", -1, "the axis to transform; negative counts from the end")
	f.StringVar(&norm, "norm", "backward", "normalisation: backward, ortho or forward")
	f.StringVar(&order, "order", "c", "memory order of the output: c or f (Fortran)")
	f.StringVar(&device, "device", "cpu", "the device to run on, or auto; see 'twiddle devices'")
	var channels recordingFlags
	channels.addChoice(c)
	asJSON := addJSON(c)
	c.Args = takeFiles(fileArg{"in", &r.in})
	c.RunE = func(c *cobra.Command, _ []string) error {
		var err error
		if r.open, err = channels.choice(c); err != nil {
			return err
		}
		if r.norm, err = fft.ParseNorm(norm); err != nil {
			return usagef("--norm: %w", err)
		}
		switch {
		case r.in == "":
			return usagef("a file to read is required; see 'twiddle fft --help'")
		case c.Flags().Changed("n") && r.n < 1:
			return usagef("--n %d: want at least 1", r.n)
		case order != "c" && order != "f":
			return usagef("--order %q: want c or f", order)
		}
		if err := checkOut(r.out, ".npy"); err != nil {
			return err
		}
		if device != "cpu" {
			if r.device, err = openDevice(c, device); err != nil {
				return err
			}
		}
		r.fortran = order == "f"
		written, err := transformFile(c, r)
		if err != nil {
			return err
		}
		return show(c, *asJSON, written)
	}
	return overFolders(c, &r.in, &r.out, ".npy")
}

// arrayFile is the content of a file: an array as it is stored, or the samples of a
// recording.
func arrayFile(c *cobra.Command, name string, o audio.Options) (a *npy.Array, err error) {
	if name == "-" {
		var remove func() error
		if name, remove, err = piped(c.InOrStdin()); err != nil {
			return nil, err
		}
		defer func() { err = errors.Join(ofPipe(err, name), remove()) }()
	}
	kind, err := sniff(name)
	switch {
	case err != nil:
		return nil, err
	case o != audio.Options{}:
	case kind == "npy":
		return npy.ReadFile(name)
	case kind == "npz":
		return readNPZ(name, "")
	}
	x, err := readSignal(name, o, framePart{})
	if err != nil {
		return nil, err
	}
	warn(c, x.warning, name)
	return hostArray(c.Context(), x.Array)
}

func transformFile(c *cobra.Command, r fftRequest) (*signalReport, error) {
	in, err := arrayFile(c, r.in, r.open)
	if err != nil {
		return nil, err
	}
	var out *npy.Array
	if r.device != nil {
		out, err = transformOn(c.Context(), r.device, in, r)
	} else {
		out, err = transformed(in, r)
	}
	if err != nil {
		return nil, err
	}
	if out, err = out.WithFortran(r.fortran); err != nil {
		return nil, err
	}
	return &signalReport{Out: r.out, Shape: out.Shape, DType: out.DType.String()}, npy.WriteFile(r.out, out)
}

// transformed is the input's transform, in the precision that its dtype calls
// for.
func transformed(in *npy.Array, r fftRequest) (*npy.Array, error) {
	switch in.DType {
	case npy.Float16, npy.Float32, npy.Complex64:
		return transformArray[float32, complex64](in, r)
	}
	return transformArray[float64, complex128](in, r)
}

// transformArray transforms in the precision of R and C, which are the parts
// and elements of the result.
func transformArray[R fft.Float, C fft.Complex](in *npy.Array, r fftRequest) (*npy.Array, error) {
	axis := r.axis
	if axis < 0 {
		axis += len(in.Shape)
	}
	if axis < 0 || axis >= len(in.Shape) {
		return nil, fmt.Errorf("fft: axis %d out of range for shape %v", r.axis, in.Shape)
	}
	n := r.n
	if n == 0 {
		n = in.Shape[axis]
		if r.real && r.inverse {
			n = 2 * (n - 1)
		}
	}
	if n < 1 || n > fft.MaxLen {
		return nil, fmt.Errorf("fft: axis %d of shape %v: %d samples, want 1 to %d", r.axis, in.Shape, n, fft.MaxLen)
	}
	shape := slices.Clone(in.Shape)
	shape[axis] = n
	if size := elementsOf(shape); size > math.MaxInt/16 {
		return nil, fmt.Errorf("fft: shape %v: more elements than can be addressed", shape)
	}
	switch {
	case r.real && r.inverse:
		return inverseReal[R, C](in, shape, axis, r.norm)
	case r.real:
		return forwardReal[R, C](in, shape, axis, r.norm)
	}
	return transformComplex[C](in, shape, axis, r)
}

func transformComplex[C fft.Complex](in *npy.Array, shape []int, axis int, r fftRequest) (*npy.Array, error) {
	z, err := resized[C](in, shape, axis)
	if err != nil {
		return nil, err
	}
	plan, err := fft.NewNDPlan[C](shape, []int{axis}, fft.Options{Norm: r.norm, Threads: fft.AllThreads})
	if err != nil {
		return nil, err
	}
	if r.inverse {
		err = plan.Inverse(z, z)
	} else {
		err = plan.Forward(z, z)
	}
	if err != nil {
		return nil, err
	}
	return npy.From(z, shape...)
}

func forwardReal[R fft.Float, C fft.Complex](in *npy.Array, shape []int, axis int, norm fft.Norm) (*npy.Array, error) {
	if in.DType.IsComplex() {
		return nil, fmt.Errorf("fft: --real wants real samples, the input is %v", in.DType)
	}
	x, err := resized[R](in, shape, axis)
	if err != nil {
		return nil, err
	}
	plan, err := fft.NewRealNDPlan[R, C](shape, []int{axis}, fft.Options{Norm: norm, Threads: fft.AllThreads})
	if err != nil {
		return nil, err
	}
	bins := make([]C, plan.Bins())
	if err := plan.Forward(bins, x); err != nil {
		return nil, err
	}
	return npy.From(bins, plan.BinsShape()...)
}

func inverseReal[R fft.Float, C fft.Complex](in *npy.Array, shape []int, axis int, norm fft.Norm) (*npy.Array, error) {
	plan, err := fft.NewRealNDPlan[R, C](shape, []int{axis}, fft.Options{Norm: norm, Threads: fft.AllThreads})
	if err != nil {
		return nil, err
	}
	bins, err := resized[C](in, plan.BinsShape(), axis)
	if err != nil {
		return nil, err
	}
	x := make([]R, plan.Len())
	if err := plan.Inverse(x, bins); err != nil {
		return nil, err
	}
	return npy.From(x, shape...)
}

// resized is the input with one axis cut or padded to what shape has there.
func resized[T npy.Number](in *npy.Array, shape []int, axis int) ([]T, error) {
	values, err := npy.As[T](in)
	if err != nil {
		return nil, err
	}
	have, want := in.Shape[axis], shape[axis]
	if have == want {
		return values, nil
	}
	inner := elementsOf(shape[axis+1:])
	out := make([]T, elementsOf(shape))
	for o := range elementsOf(shape[:axis]) {
		copy(out[o*want*inner:(o+1)*want*inner], values[o*have*inner:(o+1)*have*inner])
	}
	return out, nil
}

// elementsOf is the number of elements of a shape, the largest int if that
// does not fit.
func elementsOf(shape []int) int {
	size := 1
	for _, d := range shape {
		if d > 0 && size > math.MaxInt/d {
			return math.MaxInt
		}
		size *= d
	}
	return size
}
