package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/twiddle-go/twiddle/internal/peer"
	"github.com/twiddle-go/twiddle/internal/timing"
	"github.com/twiddle-go/twiddle/nd"
	"github.com/twiddle-go/twiddle/signal"
)

// gpuSizes are the lengths that the speed goals on GPUs name.
const gpuSizes = "2^6,2^7,2^8,2^9,2^10,2^11,2^12,2^13,2^14,1000,2^16,2^20,1009,44100"

// gpuRounds is how many times a median is of.
const gpuRounds = 30

// gpuRow is one comparison on a GPU. Times are the GPU's, medians, in
// nanoseconds; the floor is what copying takes of as many bytes as go in and
// come out, measured in the same run.
type gpuRow struct {
	What    string             `json:"what"`
	Shape   []int              `json:"shape"`
	NS      float64            `json:"ns"`
	FloorNS float64            `json:"floor_ns"`
	XFloor  float64            `json:"x_floor"`
	Peers   map[string]float64 `json:"peers"`
	Ratio   map[string]float64 `json:"ratio"`
}

type gpuRows []gpuRow

// openGPU opens a device that is a GPU, and its number among NVIDIA's; -1 if it is
// reached otherwise.
func openGPU(name string) (*nd.Device, int, error) {
	dev, err := nd.Open(name)
	if err != nil {
		return nil, 0, usagef("--device: %w", err)
	}
	kind, number, _ := strings.Cut(name, ":")
	index, err := strconv.Atoi(number)
	switch {
	case err == nil && kind == "cuda":
		return dev, index, nil
	case err == nil && kind == "webgpu":
		return dev, -1, nil
	}
	return nil, 0, usagef("--device: %q is no GPU: want cpu, or one such as cuda:0 or webgpu:0", name)
}

// busyBytes is how much a measurement reads, so that the device is busy for long
// enough.
func busyBytes(dev *nd.Device) int {
	switch info := dev.Info(); {
	case info.Software:
		return 1 << 20
	case info.Arch > 0: // NVIDIA's
		return 512 << 20
	}
	return 64 << 20
}

// openCUFFT opens cuFFT if it is asked for; nil if it is not, or not there,
// which is noted.
func openCUFFT(names string, index int, w io.Writer) (*peer.CUFFT, error) {
	if names == "" || names == "fftw,mkl" || names == "fftw" { // the defaults of the CPU
		return nil, nil
	}
	if index < 0 {
		return nil, usagef("--peers: %q: there are none beside WebGPU", names)
	}
	if names != "cufft" {
		return nil, usagef("--peers: %q on a GPU: want cufft", names)
	}
	c, err := peer.OpenCUFFT(index)
	if errors.Is(err, peer.ErrNotPresent) {
		fmt.Fprintf(w, "twiddle: %v\n", err)
		return nil, nil
	}
	return c, err
}

// fill sets the times of a row: ours, what copying takes by that of some hundred MiB,
// and the peer's.
func (r *gpuRow) fill(ctx context.Context, dev *nd.Device, bytes float64, ours func() *nd.Array, work *peer.GPUWork) error {
	numbers := busyBytes(dev) / 4
	x, err := gpuInput(ctx, dev, numbers)
	if err != nil {
		return err
	}
	rounds := gpuRounds
	if dev.Info().Software {
		rounds = 3
	}
	ns, copying, err := gpuAgainstCopy(ctx, dev, rounds, x, ours)
	if err != nil {
		return err
	}
	r.NS, r.FloorNS = ns, copying*bytes/float64(8*numbers)
	r.XFloor = r.NS / r.FloorNS
	r.Peers, r.Ratio = map[string]float64{}, map[string]float64{}
	if work == nil {
		return nil
	}
	defer work.Close()
	times, err := work.Times(gpuRounds)
	if err != nil {
		return err
	}
	r.Peers["cufft"] = median(times)
	r.Ratio["cufft"] = timing.Ratio(r.NS, r.Peers["cufft"])
	return nil
}

// openContenders opens a GPU and the peers that are named.
func openContenders(name, peers string, w io.Writer) (*nd.Device, *peer.CUFFT, error) {
	dev, index, err := openGPU(name)
	if err != nil {
		return nil, nil, err
	}
	cufft, err := openCUFFT(peers, index, w)
	return dev, cufft, err
}

// benchFFTOnGPU times transforms of as much as keeps the device busy, or of a batch.
func benchFFTOnGPU(ctx context.Context, name string, lengths []int, dtypes []dtype, batch int, peers string, w io.Writer) (gpuRows, error) {
	dev, cufft, err := openContenders(name, peers, w)
	if err != nil {
		return nil, err
	}
	var rows gpuRows
	for _, d := range dtypes {
		for _, n := range lengths {
			size := d.bits / 4 // of a complex number
			count := batch
			if count == 0 {
				count = max(busyBytes(dev)/size/n, 1)
			}
			row, err := benchOneFFTOnGPU(ctx, dev, cufft, n, count, d)
			if err != nil {
				return nil, err
			}
			rows = append(rows, row)
		}
	}
	return rows, nil
}

func benchOneFFTOnGPU(ctx context.Context, dev *nd.Device, cufft *peer.CUFFT, n, count int, d dtype) (gpuRow, error) {
	row := gpuRow{What: "fft " + d.name, Shape: []int{count, n}}
	t := nd.Float32
	if d.bits == 64 {
		t = nd.Float64
	}
	x := nd.Uniform(1, t, count, n).On(dev.Stream())
	if !d.real {
		x = nd.Complex(x, nd.Uniform(2, t, count, n).On(dev.Stream()))
	}
	if err := nd.Eval(ctx, x); err != nil {
		return row, err
	}
	defer x.Release()
	in, out := 2*n, 2*n // reals of a line
	build := func() *nd.Array { return x.FFT() }
	if d.real {
		in, out = n, 2*(n/2+1)
		build = func() *nd.Array { return x.RFFT() }
	}
	var work *peer.GPUWork
	if cufft != nil {
		var err error
		if work, err = cufft.Transform(peer.Transform{N: n, Batch: count, Bits: d.bits, Real: d.real}); err != nil {
			return row, err
		}
	}
	return row, row.fill(ctx, dev, float64(count)*float64(in+out)*float64(d.bits/8), build, work)
}

// convWork is a convolution for a GPU.
type convWork struct {
	shape  string
	taps   int
	mode   string
	stored nd.DType // of samples and gates; filters are float32
	gated  bool     // with a gate before and one behind, instead of a bias per channel
	fast   bool     // in halves, where samples are
}

// onGPU times it. A causal convolution has two rows: with the filter's transform, and by
// a spectrum that was computed before, as the peer's is and that of a circular one. The
// peer, which has no halves, runs beside float32 only.
func (c convWork) onGPU(ctx context.Context, name, peers string, w io.Writer) (gpuRows, error) {
	dev, cufft, err := openContenders(name, peers, w)
	if err != nil {
		return nil, err
	}
	host, filter, conv, err := convOf(c.shape, c.taps, c.mode)
	if err != nil {
		return nil, err
	}
	dims := [3]int(host.Shape())
	row := gpuRow{What: "conv " + c.mode, Shape: dims[:]}
	if c.stored != nd.Float32 {
		row.What += " " + c.stored.String()
	}
	if c.fast {
		row.What += " fast"
		conv.Accumulation = nd.Fast
	}
	s := dev.Stream()
	samples := func(key nd.Key) *nd.Array { return nd.Uniform(key, nd.Float32, dims[:]...).Cast(c.stored).On(s) }
	x, k := samples(1), filter.On(s)
	made := []*nd.Array{x, k}
	moved := 2 // arrays of samples, in and out
	if c.gated {
		row.What += " gated"
		conv.InGate, conv.OutGate = samples(4), samples(5)
		made, moved = append(made, conv.InGate, conv.OutGate), 4
	} else {
		conv.Bias = nd.Uniform(3, nd.Float32, dims[1]).On(s)
		made = append(made, conv.Bias)
	}
	n, step := conv.TransformLen(dims[2], lineTaps(x, c.taps))
	var spectrum *nd.Array
	if conv.Mode == signal.Causal && step == 0 && n%2 == 0 {
		spectrum = k.RFFT(nd.FFT{N: n})
		made = append(made, spectrum)
	}
	if err := nd.Eval(ctx, made...); err != nil {
		return nil, err
	}
	var work *peer.GPUWork
	if cufft != nil && !c.gated && c.stored == nd.Float32 && (conv.Mode == signal.Circular || conv.Mode == signal.Causal) {
		if work, err = cufft.Convolution(dims[0], dims[1], dims[2], n); err != nil {
			return nil, err
		}
	}
	y := conv.Apply(x, k)
	bytes := float64(c.stored.Size() * (x.Len() + (moved-1)*y.Len()))
	if err := row.fill(ctx, dev, bytes, func() *nd.Array { return conv.Apply(x, k) }, work); err != nil || spectrum == nil {
		return gpuRows{row}, err
	}
	given := row
	given.What += ", by spectrum"
	if err := given.fill(ctx, dev, bytes, func() *nd.Array { return conv.Apply(x, spectrum) }, nil); err != nil {
		return nil, err
	}
	for name, ns := range row.Peers {
		given.Peers[name], given.Ratio[name] = ns, timing.Ratio(given.NS, ns)
	}
	return gpuRows{row, given}, nil
}

func (rows gpuRows) WriteText(w io.Writer) error {
	t := timing.NewTable("what", "shape", "time", "floor", "x floor", "peer", "peer time", "x floor", "ratio")
	for _, r := range rows {
		cells := []any{r.What, shapeText(r.Shape), timing.Nanoseconds(r.NS), timing.Nanoseconds(r.FloorNS), r.XFloor}
		if len(r.Peers) == 0 {
			t.Row(cells...)
		}
		for _, name := range slices.Sorted(maps.Keys(r.Peers)) {
			ns := r.Peers[name]
			t.Row(append(cells[:len(cells):len(cells)], name, timing.Nanoseconds(ns), ns/r.FloorNS, r.Ratio[name])...)
		}
	}
	_, err := t.WriteTo(w)
	if err == nil {
		_, err = fmt.Fprintln(w, "floor: copying as many bytes as go in and come out; ratio: the peer's time over ours")
	}
	return err
}
