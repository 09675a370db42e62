package chart

import (
	"cmp"
	"context"
	"fmt"
	"math"

	"github.com/twiddle-go/twiddle/internal/figure"
	"github.com/twiddle-go/twiddle/nd"
)

// Waveform is samples over time: of many, the least and the greatest of each column of
// the picture.
//
//	x, info, err := audio.Load[float32]("in.wav")
//	err = chart.Waveform{FS: info.Rate}.Save(ctx, "in.png", x)
type Waveform struct {
	Title string
	FS    float64 // sampling frequency; 0 is unknown
	Size  Size
}

// waveSpans is how many spans samples are cut into.
const waveSpans = 3000

// Save draws samples of shape (frames), or the extremes of channels of shape
// (channels, frames), and writes a PNG or an SVG file.
func (w Waveform) Save(ctx context.Context, name string, x *nd.Array) error {
	const op = "waveform"
	if x == nil || x.Err() != nil {
		return failure(x)
	}
	if err := drawable(op, name); err != nil {
		return err
	}
	if x.NDim() < 1 || x.NDim() > 2 || x.Len() == 0 {
		return fmt.Errorf("chart: %s: samples of shape %v: want (frames) or (channels, frames)", op, x.Shape())
	}
	if t := x.DType(); t.IsComplex() || t == nd.Bool {
		return fmt.Errorf("chart: %s: samples are %s: want real numbers", op, t)
	}
	if !(w.FS >= 0) || math.IsInf(w.FS, 0) {
		return fmt.Errorf("chart: %s: FS %g: want a positive number", op, w.FS)
	}
	width, height, err := w.Size.lengths(180)
	if err != nil {
		return err
	}
	frames := x.Dim(-1)
	all, err := nd.Slice[float64](ctx, x.Cast(nd.Float64))
	if err != nil {
		return err
	}
	span := (frames + waveSpans - 1) / waveSpans
	var low, high []float64
	for from := 0; from < frames; from += span {
		least, greatest := math.Inf(1), math.Inf(-1)
		for line := 0; line < len(all); line += frames {
			for i, v := range all[line+from : line+min(from+span, frames)] {
				if v-v != 0 {
					return fmt.Errorf("chart: %s: sample %d is %g: want finite numbers", op, from+i, v)
				}
				least, greatest = min(least, v), max(greatest, v)
			}
		}
		low, high = append(low, least), append(high, greatest)
	}
	rate := cmp.Or(w.FS, 1)
	p := figure.Waveform(low, high, float64(len(low)*span)/rate, w.FS > 0)
	p.Title.Text = w.Title
	return figure.Save(p, width, height, name)
}
