package signal_test

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"strings"
	"testing"

	"github.com/twiddle-go/twiddle/internal/testdevice"
	"github.com/twiddle-go/twiddle/nd"
	"github.com/twiddle-go/twiddle/signal"
)

// cut is an array in parts along its last axis.
func cut(x *nd.Array, lengths ...int) iter.Seq2[*nd.Array, error] {
	return func(yield func(*nd.Array, error) bool) {
		for at, i := 0, 0; at < x.Dim(-1); i++ {
			n := lengths[i%len(lengths)]
			if !yield(x.SliceAxis(-1, nd.Range{Start: at, Stop: at + n}), nil) {
				return
			}
			at += n
		}
	}
}

// joined puts the parts of a sequence together.
func joined(t *testing.T, parts iter.Seq2[*nd.Array, error]) *nd.Array {
	t.Helper()
	var all []*nd.Array
	for p, err := range parts {
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, p)
	}
	if len(all) == 0 {
		t.Fatal("no parts")
	}
	return nd.Concat(-1, all...)
}

func TestSTFTStream(t *testing.T) {
	testdevice.NeedsFloat64(t)
	ctx := context.Background()
	for _, s := range []signal.STFT{
		{NFFT: 16}, {NFFT: 15, Hop: 4}, {NFFT: 16, Hop: 16}, {NFFT: 16, Hop: 23, Border: signal.BorderEdge}, {NFFT: 16, WinLength: 10, Hop: 3},
		{NFFT: 16, Hop: 13, Fill: true}, {NFFT: 8, Hop: 11, Fill: true, Border: signal.BorderNone}, {NFFT: 16, Border: signal.BorderNone},
		signal.Librosa(16, 4), signal.SciPy(16, 12, 20), {NFFT: 64, Hop: 60, Border: signal.BorderZeros, Fill: true},
	} {
		for _, n := range []int{60, 61, 70} {
			x := waves(2, n)
			whole := s.Apply(x)
			for _, lengths := range [][]int{{1}, {3, 17}, {40}, {100}} {
				name := fmt.Sprintf("%+v, %d samples in parts of %v", s, n, lengths)
				inverts(t, name, whole, joined(t, s.Stream(ctx, cut(x, lengths...))), 1e-14)
				for _, o := range []signal.Inverse{{Masked: true}, {Length: n, Masked: true}, {Length: n - 9, Masked: true}, {Length: n + 30, Masked: true}} {
					inverts(t, "inverse of "+name, s.Inverse(whole, o), joined(t, s.StreamInverse(ctx, cut(whole, lengths...), o)), 1e-13)
				}
			}
		}
	}
}

func TestSTFTStreamErrors(t *testing.T) {
	testdevice.NeedsFloat64(t)
	ctx := context.Background()
	boom := errors.New("boom")
	failing := func(yield func(*nd.Array, error) bool) { yield(nil, boom) }
	s := signal.STFT{NFFT: 16}
	z := s.Apply(waves(60))
	bare := signal.STFT{NFFT: 16, Border: signal.BorderNone}
	for fact, parts := range map[string]iter.Seq2[*nd.Array, error]{
		"boom":  s.Stream(ctx, failing),
		"boom ": s.StreamInverse(ctx, failing),
		"too few to be reflected by 8: want another Border": s.Stream(ctx, cut(waves(5), 2)),
		"border wrap needs the end":                         signal.STFT{NFFT: 16, Border: signal.BorderWrap}.Stream(ctx, cut(waves(50), 20)),
		"do not fill a frame of 16":                         bare.Stream(ctx, cut(waves(5), 2)),
		"NFFT -1":                                           signal.STFT{NFFT: -1}.Stream(ctx, cut(waves(50), 20)),
		"Axis 0: chunks follow":                             signal.STFT{NFFT: 16, Axis: nd.Axis(0)}.Stream(ctx, cut(waves(50, 20), 20)),
		"want 9 complex bins":                               s.StreamInverse(ctx, cut(waves(50, 20), 20)),
		"no window covers sample 0":                         bare.StreamInverse(ctx, cut(z, 2)),
		"stft stream: nil Array":                            s.Stream(ctx, func(yield func(*nd.Array, error) bool) { yield(nil, nil) }),
	} {
		var err error
		for _, e := range parts {
			err = e
		}
		if err == nil || !strings.Contains(err.Error(), strings.TrimSpace(fact)) {
			t.Errorf("%v, want %q", err, fact)
		}
	}
	for z, err := range s.Stream(ctx, cut(nd.Zeros(nd.Float32, 0), 1)) {
		t.Errorf("a stream of nothing gives %v, %v", z, err)
	}
}
