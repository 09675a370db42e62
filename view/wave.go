package view

import (
	"math"

	"github.com/twiddle-go/twiddle/internal/simd"
	"github.com/twiddle-go/twiddle/internal/simd/vec"
)

// A column of a waveform stands for 2^level frames: the least and the greatest
// sample among them.

// waveColumns is the columns of a block of a waveform.
const waveColumns = 1024

// extent is the least and the greatest sample of a column; NaN if one is.
type extent struct{ Low, High float32 }

var noExtent = extent{float32(math.Inf(1)), float32(math.Inf(-1))}

func (e extent) join(o extent) extent { return extent{min(e.Low, o.Low), max(e.High, o.High)} }

// extents of consecutive spans of frames, of a channel or all of them.
func extents(dst []extent, frames []float32, channels, channel int, span int) {
	for i := range dst {
		from, to := i*span*channels, min((i+1)*span*channels, len(frames))
		dst[i] = extentOf(frames[min(from, to):to], channels, channel)
	}
}

// extentOf some frames.
func extentOf(frames []float32, channels, channel int) extent {
	if channel == allChannels || channels == 1 {
		k := &vec.For(simd.Active()).F32
		return extent{k.Least(frames), k.Largest(frames)}.finite()
	}
	e := noExtent
	for i := channel; i < len(frames); i += channels {
		v := frames[i]
		e = extent{min(e.Low, v), max(e.High, v)}
	}
	return e.finite()
}

// finite is NaN where there is an infinity: neither can be drawn. That of no
// frames stays.
func (e extent) finite() extent {
	if e != noExtent && (math.IsInf(float64(e.Low), 0) || math.IsInf(float64(e.High), 0)) {
		nan := float32(math.NaN())
		return extent{nan, nan}
	}
	return e
}

// waveKey names a block of a waveform.
type waveKey struct {
	item    string
	channel int
	level   int
	index   int64
	end     int64
	coarse  bool
}

func waveKeyOf(item string, info Info, channel, level int, index int64, coarse bool) waveKey {
	k := waveKey{item: item, channel: channel, level: level, index: index, coarse: coarse}
	if (index+1)*waveColumns<<level > info.Frames {
		k.end = info.Frames
	}
	return k
}

// waveSample is how many frames of a column a first impression looks at.
const waveSample = 256

// computeWave reads a block of a waveform; a coarse one looks at the beginning
// of each span only.
func computeWave(rec Recording, channel, level int, index int64, coarse bool) ([]extent, error) {
	info := rec.Info()
	span := int64(1) << level
	columns := int(min(max((info.Frames+span-1)/span-index*waveColumns, 0), waveColumns))
	out := make([]extent, columns)
	if !coarse {
		// Whole spans at a time, of no more than a megabyte or so.
		step := max(1, int(int64(1<<18)/(span*int64(info.Channels))))
		room := make([]float32, int64(step)*span*int64(info.Channels))
		for at := 0; at < columns; at += step {
			n := min(step, columns-at)
			first := (index*waveColumns + int64(at)) * span
			frames := room[:min(int64(n)*span, info.Frames-first)*int64(info.Channels)]
			if err := readPadded(rec, frames, first, info.Channels); err != nil {
				return nil, err
			}
			extents(out[at:at+n], frames, info.Channels, channel, int(span))
		}
		return out, nil
	}
	room := make([]float32, min(span, waveSample)*int64(info.Channels))
	for i := range out {
		first := (index*waveColumns + int64(i)) * span
		frames := room[:min(int64(len(room)/info.Channels), info.Frames-first)*int64(info.Channels)]
		if err := readPadded(rec, frames, first, info.Channels); err != nil {
			return nil, err
		}
		out[i] = extentOf(frames, info.Channels, channel)
	}
	return out, nil
}
