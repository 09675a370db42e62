package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math"
	"math/rand/v2"
	"runtime"
	"unsafe"

	"github.com/spf13/cobra"

	"github.com/twiddle-go/twiddle/fft"
	"github.com/twiddle-go/twiddle/internal/hostmem"
	"github.com/twiddle-go/twiddle/internal/peer"
	"github.com/twiddle-go/twiddle/internal/simd"
	"github.com/twiddle-go/twiddle/internal/timing"
)

// benchSizes are the lengths the speed goals name.
const benchSizes = "2^6,2^7,2^8,2^9,2^10,2^11,2^12,2^13,2^14,2^15,2^16,2^17,2^18,2^19,2^20," +
	"1000,1536,3125,10000,44100,48000,1009,65537"

// fftRow is one comparison. Times are nanoseconds of one call, which does the
// whole batch; a ratio is a peer's time over ours. With several threads, the
// peer "single" is Twiddle on one.
type fftRow struct {
	N       int                `json:"n"`
	DType   string             `json:"dtype"`
	Batch   int                `json:"batch"`
	Threads int                `json:"threads"`
	NS      float64            `json:"ns"`
	Peers   map[string]float64 `json:"peers"`
	Ratio   map[string]float64 `json:"ratio"`
}

type fftRows []fftRow

// defaultPeers are those that people have on their system.
func defaultPeers() string {
	if runtime.GOOS == "darwin" {
		return "fftw,vdsp"
	}
	return "fftw,mkl"
}

func newBenchFFTCommand() *cobra.Command {
	c := &cobra.Command{
		Use:   "fft",
		Short: "Compare forward transforms with FFTW, MKL and vDSP, or cuFFT",
		Long: "Time forward transforms, out of place, and compare them with FFTW (planned with MEASURE),\n" +
			"MKL and, on macOS, vDSP (complex transforms of lengths it has; --peers vdsp), if they are\n" +
			"installed. On a GPU (--device cuda:0, webgpu:0) compare with cuFFT (--peers cufft) and with\n" +
			"a copy of as many bytes. Ratios are a peer's time over ours: above 1, Twiddle is faster.",
	}
	f := c.Flags()
	sizes := f.String("sizes", benchSizes, "lengths, separated by commas; 2^k is a power of two")
	names := f.String("dtype", "c64", "element types: c64, c128, r32, r64, several separated by commas, or all")
	batch := f.Int("batch", 1, "transforms in one call")
	threads := f.Int("threads", 1, "threads of one call, ours and the peers'")
	peerNames := f.String("peers", defaultPeers(), "peers, separated by commas: fftw, mkl, vdsp; cufft on a GPU")
	device := f.String("device", "cpu", "the device: cpu, or a GPU such as cuda:0 or webgpu:0, with enough transforms to keep it busy")
	shapes := f.String("shapes", "", "on a GPU: transforms along 2 or 3 axes instead, such as 512x512,256x256x256")
	asJSON := addJSON(c)
	c.RunE = func(c *cobra.Command, _ []string) error {
		if *shapes != "" && *device == "cpu" {
			return usagef("--shapes is for a GPU: give --device")
		}
		if *device != "cpu" && !c.Flags().Changed("sizes") {
			*sizes = gpuSizes
		}
		lengths, err := parseSizes(*sizes)
		if err != nil {
			return err
		}
		dtypes, err := parseDTypes(*names)
		if err != nil {
			return err
		}
		if *shapes != "" {
			dims, err := parseShapes(*shapes)
			if err != nil {
				return err
			}
			rows, err := benchFFTNOnGPU(c.Context(), *device, dims, dtypes, *peerNames, c.ErrOrStderr())
			if err != nil {
				return err
			}
			return show(c, *asJSON, rows)
		}
		if *device != "cpu" {
			if !c.Flags().Changed("batch") {
				*batch = 0
			}
			rows, err := benchFFTOnGPU(c.Context(), *device, lengths, dtypes, *batch, *peerNames, c.ErrOrStderr())
			if err != nil {
				return err
			}
			return show(c, *asJSON, rows)
		}
		if *batch < 1 || *threads < 1 {
			return usagef("--batch %d --threads %d: want at least 1 of each", *batch, *threads)
		}
		for _, n := range lengths {
			// In and out, of the widest numbers, without an overflow.
			bytes := int64(math.MaxInt64)
			if int64(*batch) <= math.MaxInt64/32/int64(n) {
				bytes = 32 * int64(n) * int64(*batch)
			}
			if err := hostmem.Check(bytes); err != nil {
				return usagef("--batch %d: lines of %d: %w", *batch, n, err)
			}
		}
		if err := simd.OverrideError(); err != nil {
			return err
		}
		peers, err := openPeers(*peerNames, c.ErrOrStderr())
		if err != nil {
			return err
		}
		var rows fftRows
		for _, d := range dtypes {
			for _, n := range lengths {
				row, err := benchFFT(c.Context(), fftRow{N: n, DType: d.name, Batch: *batch, Threads: *threads}, d, peers)
				if err != nil {
					return err
				}
				rows = append(rows, row)
			}
		}
		return show(c, *asJSON, rows)
	}
	return c
}

// benchFFT fills in the times of one row.
func benchFFT(ctx context.Context, row fftRow, d dtype, peers []peer.FFT) (fftRow, error) {
	ours, err := ourFFT(row.N, row.Batch, row.Threads, d)
	if err != nil {
		return row, err
	}
	contenders := []timing.Contender{{Name: "twiddle", Run: ours}}
	if row.Threads > 1 {
		single, err := ourFFT(row.N, row.Batch, 1, d)
		if err != nil {
			return row, err
		}
		contenders = append(contenders, timing.Contender{Name: "single", Run: single})
	}
	for _, p := range peers {
		plan, err := p.Plan(peer.Transform{N: row.N, Batch: row.Batch, Bits: d.bits, Real: d.real, Threads: row.Threads})
		if errors.Is(err, peer.ErrUnsupported) {
			continue
		}
		if err != nil {
			return row, err
		}
		defer plan.Close()
		if d.bits == 32 {
			fill(peer.In[float32](plan))
		} else {
			fill(peer.In[float64](plan))
		}
		contenders = append(contenders, timing.Contender{Name: p.Name(), Run: plan.Run})
	}
	if row.Threads == 1 {
		if unpin, err := timing.Pin(); err == nil {
			defer unpin()
		}
	}
	runtime.GC() // so that none is due while measuring
	ns, err := timing.Compare(ctx, timing.Options{}, contenders...)
	if err != nil {
		return row, err
	}
	row.NS, row.Peers, row.Ratio = ns[0], map[string]float64{}, map[string]float64{}
	for i, c := range contenders[1:] {
		row.Peers[c.Name] = ns[i+1]
		row.Ratio[c.Name] = timing.Ratio(ns[0], ns[i+1])
	}
	return row, nil
}

// ourFFT is a loop of forward transforms on buffers of its own. What cannot
// fail after the first call is not checked again.
func ourFFT(n, batch, threads int, d dtype) (func(reps int), error) {
	switch d.name {
	case "c64":
		return ourComplex[complex64](n, batch, threads)
	case "c128":
		return ourComplex[complex128](n, batch, threads)
	case "r32":
		return ourReal[float32, complex64](n, batch, threads)
	}
	return ourReal[float64, complex128](n, batch, threads)
}

func ourComplex[C fft.Complex](n, batch, threads int) (func(reps int), error) {
	p, err := fft.NewPlan[C](n, fft.Options{Threads: threads})
	if err != nil {
		return nil, err
	}
	src, dst := aligned[C](n*batch), aligned[C](n*batch)
	for i := range src {
		src[i] = C(complex(rand.Float64()-0.5, rand.Float64()-0.5))
	}
	if batch == 1 && threads == 1 {
		scratch := aligned[C](p.ScratchLen())
		if len(scratch) == 0 {
			return loop(func() error { return p.Forward(dst, src) })
		}
		return loop(func() error { return p.ForwardScratch(dst, src, scratch) })
	}
	return loop(func() error { return p.ForwardBatch(dst, src, fft.Batch{Count: batch}) })
}

func ourReal[R fft.Float, C fft.Complex](n, batch, threads int) (func(reps int), error) {
	p, err := fft.NewRealPlan[R, C](n, fft.Options{Threads: threads})
	if err != nil {
		return nil, err
	}
	src, dst := aligned[R](n*batch), aligned[C](p.Bins()*batch)
	fill(src)
	if batch == 1 && threads == 1 {
		scratch := aligned[C](p.ScratchLen())
		if len(scratch) == 0 {
			return loop(func() error { return p.Forward(dst, src) })
		}
		return loop(func() error { return p.ForwardScratch(dst, src, scratch) })
	}
	return loop(func() error { return p.ForwardBatch(dst, src, fft.Batch{Count: batch}) })
}

func loop(call func() error) (func(reps int), error) {
	if err := call(); err != nil {
		return nil, err
	}
	return func(reps int) {
		for range reps {
			_ = call() // the same arguments as the call that succeeded
		}
	}, nil
}

// aligned is a slice that starts on a cache line, as the peers' buffers do.
func aligned[T any](n int) []T {
	const line = 64
	var zero T
	size := int(unsafe.Sizeof(zero))
	s := make([]T, n+line/size)
	skip := -int(uintptr(unsafe.Pointer(unsafe.SliceData(s)))) & (line - 1) / size
	return s[skip : skip+n]
}

// fill puts random numbers in [-0.5, 0.5) everywhere.
func fill[R fft.Float](x []R) {
	for i := range x {
		x[i] = R(rand.Float64() - 0.5)
	}
}

// WriteText prints a table with a column pair for each peer of any row.
func (rows fftRows) WriteText(w io.Writer) error {
	peers := []string{}
	for _, name := range []string{"single", "fftw", "mkl", "vdsp"} {
		for _, r := range rows {
			if _, ok := r.Peers[name]; ok {
				peers = append(peers, name)
				break
			}
		}
	}
	columns := []string{"n", "dtype", "batch", "threads", "twiddle"}
	for _, name := range peers {
		columns = append(columns, name, "ratio")
	}
	table := timing.NewTable(columns...)
	for _, r := range rows {
		cells := []any{r.N, r.DType, r.Batch, r.Threads, timing.Nanoseconds(r.NS)}
		for _, name := range peers {
			if _, ok := r.Peers[name]; !ok {
				cells = append(cells, "-", "-")
				continue
			}
			cells = append(cells, timing.Nanoseconds(r.Peers[name]), fmt.Sprintf("%.2f", r.Ratio[name]))
		}
		table.Row(cells...)
	}
	_, err := table.WriteTo(w)
	return err
}
