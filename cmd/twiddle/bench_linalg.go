package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"runtime"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/twiddle-go/twiddle/internal/peer"
	"github.com/twiddle-go/twiddle/internal/timing"
	"github.com/twiddle-go/twiddle/linalg"
	"github.com/twiddle-go/twiddle/nd"
)

// linalgRow is one comparison. Peers name what they were asked to do.
type linalgRow struct {
	What      string             `json:"what"`
	Shape     []int              `json:"shape"`
	NS        float64            `json:"ns"`
	Predicted float64            `json:"predicted_ns"`          // of what is launched
	GFLOP     float64            `json:"gflop_per_s,omitempty"` // of what the textbook method takes
	Peers     map[string]float64 `json:"peers"`
	Ratio     map[string]float64 `json:"ratio"`
	Goal      float64            `json:"goal,omitempty"` // for the ratio, at the default sizes
}

type linalgRows []linalgRow

func newBenchLinalgCommand() *cobra.Command {
	c := &cobra.Command{
		Use:   "linalg",
		Short: "Compare factorisations and products with OpenBLAS",
		Long: "Time QR, the leading part of an SVD, all of a small one, and a matrix product, in\n" +
			"float32, beside what OpenBLAS needs for the same: sgeqrf and sorgqr, sgesdd (which\n" +
			"cannot stop after the leading part), sgemm. Both use all cores. Ratios are the peer's\n" +
			"time over ours.",
	}
	f := c.Flags()
	shape := f.String("shape", "4096,512", "rows and columns of the matrix that is factored")
	top := f.Int("top", 32, "number of leading singular values")
	small := f.Int("svd", 128, "rows and columns of the matrix of the full SVD")
	side := f.Int("matmul", 2048, "rows and columns of the matrices that are multiplied; 256 on a software adapter")
	device := f.String("device", "cpu", "the device to measure")
	peers := f.String("peers", "openblas", "peers, separated by commas; empty for none")
	rounds := f.Int("rounds", 10, "rounds for each contender")
	asJSON := addJSON(c)
	c.RunE = func(c *cobra.Command, _ []string) error {
		dev, err := nd.Open(*device)
		if err != nil {
			return usagef("--device: %w", err)
		}
		if err := lessOnSoftware(c, dev, map[string]string{"shape": "512,64", "matmul": "256", "rounds": "1"}); err != nil {
			return err
		}
		m, n, err := parseMatrix(*shape)
		if err != nil {
			return err
		}
		if *top < 1 || *top > n || *small < 1 || *side < 1 || *rounds < 1 {
			return usagef("--top %d, --svd %d, --matmul %d, --rounds %d: want 1 or more, and top at most %d", *top, *small, *side, *rounds, n)
		}
		blas, err := openLinalgPeer(*peers, c.ErrOrStderr())
		if err != nil {
			return err
		}
		b := linalgBench{dev: dev, blas: blas, options: timing.Options{Rounds: *rounds}, notes: c.ErrOrStderr()}
		rows, err := b.run(c.Context(), m, n, *top, *small, *side)
		if err != nil {
			return err
		}
		return show(c, *asJSON, rows)
	}
	return c
}

// parseMatrix reads "rows,columns".
func parseMatrix(text string) (m, n int, err error) {
	if _, err := fmt.Sscanf(text+" ", "%d,%d ", &m, &n); err != nil || n < 1 || m < n || strings.Count(text, ",") != 1 {
		return 0, 0, usagef("--shape %q: want rows,columns with as many rows as columns, or more", text)
	}
	return m, n, nil
}

// openLinalgPeer opens OpenBLAS if it is asked for; nil if it is not there.
func openLinalgPeer(list string, w io.Writer) (*peer.BLAS, error) {
	var blas *peer.BLAS
	for name := range strings.SplitSeq(list, ",") {
		switch name {
		case "":
			continue
		case "openblas":
		default:
			return nil, usagef("--peers: unknown peer %q: want openblas", name)
		}
		var err error
		if blas, err = peer.OpenBLAS(); errors.Is(err, peer.ErrNotPresent) {
			fmt.Fprintf(w, "twiddle: %v\n", err)
		} else if err != nil {
			return nil, err
		}
	}
	return blas, nil
}

type linalgBench struct {
	dev     *nd.Device
	blas    *peer.BLAS
	options timing.Options
	notes   io.Writer
}

func (b linalgBench) run(ctx context.Context, m, n, top, small, side int) (linalgRows, error) {
	if b.blas != nil {
		b.blas.SetThreads(runtime.GOMAXPROCS(0))
	}
	in, err := operandsOn(ctx, b.dev, nd.Normal(1, nd.Float32, m, n), nd.Normal(2, nd.Float32, side, side), nd.Normal(3, nd.Float32, small, small))
	if err != nil {
		return nil, err
	}
	a, x, few := in[0], in[1], in[2]
	large, err := columnsOf(ctx, a)
	if err != nil {
		return nil, err
	}
	little, err := columnsOf(ctx, few)
	if err != nil {
		return nil, err
	}
	host, err := nd.Slice[float32](ctx, x)
	if err != nil {
		return nil, err
	}
	fm, fn, fs := float64(m), float64(n), float64(side)
	qr := func() error {
		q, r := linalg.QR(a)
		defer q.Release()
		defer r.Release()
		return nd.Eval(ctx, q, r)
	}
	svd := func() error { return released(topSVD(ctx, a, top)) }
	full := func() error { return released(fullSVD(ctx, few)) }
	product := func() error {
		y := x.MatMul(x)
		defer y.Release()
		return nd.Eval(ctx, y)
	}
	theirs, err := b.peers(m, n, small, side, large, little, host)
	if err != nil {
		return nil, err
	}
	var rows linalgRows
	for _, c := range []struct {
		row    linalgRow
		ours   func() error
		peer   string
		theirs func() error
		flop   float64
	}{
		{linalgRow{What: "qr", Shape: []int{m, n}, Goal: 0.5}, qr, "sgeqrf+sorgqr", theirs.qr, 4*fm*fn*fn - 4*fn*fn*fn/3},
		{linalgRow{What: fmt.Sprintf("top %d svd", top), Shape: []int{m, n}, Goal: 3}, svd, "sgesdd", theirs.svd, 0},
		{linalgRow{What: "svd", Shape: []int{small, small}}, full, "sgesdd", theirs.full, 0},
		{linalgRow{What: "matmul", Shape: []int{side, side, side}, Goal: 0.7}, product, "sgemm", theirs.product, 2 * fs * fs * fs},
	} {
		c.row.Peers, c.row.Ratio = map[string]float64{}, map[string]float64{}
		err := b.compare(ctx, &c.row, c.ours, c.peer, c.theirs)
		if lacks := (*nd.DTypeError)(nil); errors.As(err, &lacks) {
			fmt.Fprintf(b.notes, "twiddle: %s is left out: %s has no %s\n", c.row.What, lacks.Device, lacks.Type)
			continue
		}
		if err != nil {
			return nil, err
		}
		c.row.GFLOP = c.flop / c.row.NS
		rows = append(rows, c.row)
	}
	return rows, nil
}

func topSVD(ctx context.Context, a *nd.Array, k int) ([]*nd.Array, error) {
	t, err := linalg.TopSVD(ctx, a, k)
	if err != nil {
		return nil, err
	}
	return []*nd.Array{t.U, t.S, t.V}, nil
}

func fullSVD(ctx context.Context, a *nd.Array) ([]*nd.Array, error) {
	u, s, v, err := linalg.SVD(ctx, a)
	if err != nil {
		return nil, err
	}
	return []*nd.Array{u, s, v}, nil
}

// released gives results back.
func released(results []*nd.Array, err error) error {
	for _, a := range results {
		a.Release()
	}
	return err
}

// columnsOf is the columns of a matrix as LAPACK wants them, in copies that it may
// destroy.
func columnsOf(ctx context.Context, a *nd.Array) (func() []float32, error) {
	columns, err := nd.Slice[float32](ctx, a.Transpose())
	if err != nil {
		return nil, err
	}
	work := make([]float32, len(columns))
	return func() []float32 { copy(work, columns); return work }, nil
}

// linalgPeers is what OpenBLAS does for the same results; nil where it cannot.
type linalgPeers struct{ qr, svd, full, product func() error }

func (b linalgBench) peers(m, n, small, side int, large, little func() []float32, square []float32) (p linalgPeers, err error) {
	if b.blas == nil {
		return p, nil
	}
	out := make([]float32, len(square))
	p.product = func() error { return b.blas.Sgemm(side, side, side, out, square, square) }
	lapack, err := b.blas.LAPACK()
	if err != nil {
		return p, nil // a BLAS alone is worth comparing with
	}
	qr, err := lapack.QR(m, n)
	if err != nil {
		return p, err
	}
	svd, err := lapack.SVD(m, n)
	if err != nil {
		return p, err
	}
	full, err := lapack.SVD(small, small)
	if err != nil {
		return p, err
	}
	p.qr = func() error { return qr.Factor(large()) }
	p.svd = func() error { return svd.Decompose(large()) }
	p.full = func() error { return full.Decompose(little()) }
	return p, nil
}

func (b linalgBench) compare(ctx context.Context, row *linalgRow, ours func() error, name string, theirs func() error) error {
	var contenders []timing.Contender
	warm, err := loop(ours)
	if err != nil {
		return err
	}
	row.Predicted = launched(b.dev, warm).PredictedNs
	for _, call := range []func() error{ours, theirs} {
		if call == nil {
			continue
		}
		run, err := loop(call)
		if err != nil {
			return err
		}
		contenders = append(contenders, timing.Contender{Run: run})
	}
	runtime.GC()
	ns, err := timing.Compare(ctx, b.options, contenders...)
	if err != nil {
		return err
	}
	row.NS = ns[0]
	if theirs != nil {
		row.Peers[name] = ns[1]
		row.Ratio[name] = timing.Ratio(ns[0], ns[1])
	}
	return nil
}

func (rows linalgRows) WriteText(w io.Writer) error {
	t := timing.NewTable("what", "shape", "time", "predicted", "GFLOP/s", "peer", "peer time", "ratio", "goal")
	for _, r := range rows {
		var speed any = "-"
		if r.GFLOP > 0 {
			speed = r.GFLOP
		}
		var goal any = "-"
		if r.Goal > 0 {
			goal = r.Goal
		}
		if len(r.Peers) == 0 {
			t.Row(r.What, shapeText(r.Shape), timing.Nanoseconds(r.NS), timing.Nanoseconds(r.Predicted), speed, "-", "-", "-", goal)
		}
		for _, name := range slices.Sorted(maps.Keys(r.Peers)) {
			ns := r.Peers[name]
			t.Row(r.What, shapeText(r.Shape), timing.Nanoseconds(r.NS), timing.Nanoseconds(r.Predicted), speed, name, timing.Nanoseconds(ns), r.Ratio[name], goal)
		}
	}
	if _, err := t.WriteTo(w); err != nil {
		return err
	}
	_, err := fmt.Fprintln(w, "ratio: the peer's time over ours; goals are for the default sizes on two cores")
	return err
}
