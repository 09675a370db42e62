package view

import (
	"context"
	"errors"
	"math"
	"slices"
	"testing"

	"github.com/twiddle-go/twiddle/nd"
)

// torn is a recording that cannot be read from a frame on.
type torn struct {
	Recording
	at int64
}

var errTorn = errors.New("torn")

func (t torn) ReadFrames(dst []float32, from int64) (int, error) {
	if from+int64(len(dst)) > t.at {
		return 0, errTorn
	}
	return t.Recording.ReadFrames(dst, from)
}

// tones is a recording of a sweep.
func tones(t testing.TB, frames, channels int) Recording {
	t.Helper()
	data := make([]float32, frames*channels)
	for i := range frames {
		for c := range channels {
			data[i*channels+c] = float32(math.Sin(1e-6 * float64(c+1) * float64(i) * float64(i)))
		}
	}
	source, err := Samples("tones", 8000, channels, data)
	if err != nil {
		t.Fatal(err)
	}
	rec, err := source.Open("tones")
	if err != nil {
		t.Fatal(err)
	}
	return rec
}

// Columns come in order and once, whoever computed them, and are what each of
// them is alone.
func TestColumnsInOrder(t *testing.T) {
	for _, channels := range []int{1, 2, 3} {
		rec := tones(t, 600_000, channels)
		a, err := newAnalyser(nd.CPU().Stream(), rec, look{Channel: allChannels, Window: "hann", N: 256, Hop: 64})
		if err != nil {
			t.Fatal(err)
		}
		const count = 9000
		var all [][]float32
		err = a.columns(context.Background(), 0, 0, count, func(i int, levels []float32) {
			if i != len(all) {
				t.Fatalf("column %d after %d others", i, len(all))
			}
			all = append(all, slices.Clone(levels))
		})
		if err != nil || len(all) != count {
			t.Fatalf("%d columns of %d: %v", len(all), count, err)
		}
		for i := 0; i < count; i += 611 {
			err := a.columns(context.Background(), 0, int64(i), 1, func(_ int, levels []float32) {
				for k, v := range levels {
					if math.Abs(float64(v-all[i][k])) > 1e-2 && v > -100 {
						t.Fatalf("%d channels, column %d, bin %d: %g dB, alone %g", channels, i, k, all[i][k], v)
					}
				}
			})
			if err != nil {
				t.Fatal(err)
			}
		}
	}
}

func TestColumnsOfTornRecording(t *testing.T) {
	a, err := newAnalyser(nd.CPU().Stream(), torn{tones(t, 600_000, 1), 300_000}, look{Window: "hann", N: 256, Hop: 64})
	if err != nil {
		t.Fatal(err)
	}
	next := 0
	err = a.columns(context.Background(), 0, 0, 9000, func(i int, _ []float32) {
		if i != next || int64(i*64) > 300_000 {
			t.Errorf("column %d, want %d", i, next)
		}
		next++
	})
	if !errors.Is(err, errTorn) || next == 0 {
		t.Errorf("%d columns and %v", next, err)
	}
}

func TestRank(t *testing.T) {
	if h := toHalf(float32(math.NaN())); h != halfNaN {
		t.Errorf("NaN is %#x, want %#x", h, halfNaN)
	}
	levels := []float32{decibelFloor, -120.5, -1, 0, 1e-3, 3, 250, notANumber}
	for i := range levels {
		for j := range levels {
			if got := louder(toHalf(levels[i]), toHalf(levels[j])); got != (i > j) {
				t.Errorf("%g louder than %g: %v", levels[i], levels[j], got)
			}
		}
	}
}
