package fleet

import (
	"fmt"
	"io"
	"math"
	"strings"
	"time"

	"github.com/twiddle-go/twiddle/audio"
	"github.com/twiddle-go/twiddle/fleet/archive"
	"github.com/twiddle-go/twiddle/internal/simd"
	"github.com/twiddle-go/twiddle/internal/simd/vec"
)

// slab is memory for the samples of a window, used again for a later one.
type slab struct {
	room [][]float32
	used int
}

func (s *slab) get(n int) []float32 {
	if s.used == len(s.room) {
		s.room = append(s.room, nil)
	}
	if cap(s.room[s.used]) < n {
		s.room[s.used] = make([]float32, n)
	}
	s.used++
	return s.room[s.used-1][:n]
}

// stationReader reads time ranges of the files of a station, one after
// another. What is wrong with a file ends that file and is noted.
type stationReader struct {
	files    []*archive.Recording
	rate     float64 // headers replaced by it, if it is not 0
	open     *audio.File
	opened   int // which file is open
	at       int64
	broken   map[int]bool
	problems []archive.Problem
}

func (r *stationReader) close() {
	if r.open != nil {
		r.open.Close()
		r.open = nil
	}
}

// fail notes what is wrong with a file, which is not read any more.
func (r *stationReader) fail(file int, err error) {
	if r.broken == nil {
		r.broken = map[int]bool{}
	}
	r.broken[file] = true
	r.problems = append(r.problems, archive.Problem{Path: r.files[file].Path, Kind: archive.Corrupt, Reason: err.Error()})
	r.close()
}

// piece is frames of one file.
type piece struct {
	file     int
	from, to int64
	samples  []float32 // frames of interleaved samples that could be read
	frames   int
}

// read gives the samples of a time range.
func (r *stationReader) read(start time.Time, length time.Duration, memory *slab) Samples {
	var out Samples
	var group []piece
	var end time.Time // of the group
	flush := func() {
		if len(group) > 0 {
			if s := r.join(group, start, memory); s.Frames > 0 {
				out = append(out, s)
			}
		}
		group = nil
	}
	for i, f := range r.files {
		p := piece{file: i, from: f.FrameAt(start), to: f.FrameAt(start.Add(length))}
		if p.to == p.from || r.broken[i] {
			continue
		}
		half := time.Duration(0.5e9 / f.Rate)
		if gap := f.At(p.from).Sub(end); gap > half || gap < -half {
			flush()
		}
		r.fill(&p, memory)
		group = append(group, p)
		end = f.At(p.to)
		if int64(p.frames) < p.to-p.from {
			flush()
		}
	}
	flush()
	return out
}

// fill reads the samples of a piece, as far as they can be read.
func (r *stationReader) fill(p *piece, memory *slab) {
	f := r.files[p.file]
	if r.open == nil || r.opened != p.file {
		r.close()
		opened, err := audio.Open(f.Path, audio.Options{Rate: r.rate})
		if err != nil {
			r.fail(p.file, err)
			return
		}
		r.open, r.opened, r.at = opened, p.file, 0
		if opened.Info.Channels != f.Channels {
			r.fail(p.file, fmt.Errorf("the file has changed: %d channels instead of %d", opened.Info.Channels, f.Channels))
			return
		}
	}
	if r.at != p.from {
		if err := r.open.SeekFrame(p.from); err != nil {
			r.fail(p.file, err)
			return
		}
	}
	room := memory.get(int(p.to-p.from) * f.Channels)
	n, err := audio.ReadFull(r.open, room)
	r.at = p.from + int64(n)
	p.samples, p.frames = room[:n*f.Channels], n
	if err == io.EOF && n == len(room)/f.Channels {
		err = nil
	}
	if err == io.EOF {
		err = fmt.Errorf("the samples end at frame %d of %d", r.at, f.Frames)
		if w := r.open.Warning(); w != nil {
			err = w
		}
	}
	if err == nil && strings.HasPrefix(r.open.Info.Encoding, "float") {
		if at := notFinite(p.samples); at >= 0 {
			p.frames = at / f.Channels
			p.samples = p.samples[:p.frames*f.Channels]
			err = fmt.Errorf("frame %d: a sample is not a finite number", p.from+int64(p.frames))
		}
	}
	if err != nil {
		r.fail(p.file, err)
	}
}

// notFinite is the place of the first sample that is NaN or infinite, or -1.
func notFinite(x []float32) int {
	// A sum is finite if all of its numbers are, unless they are very large.
	if sum := vec.For(simd.Active()).F32.Sum(x); sum-sum == 0 {
		return -1
	}
	for i, v := range x {
		if v-v != 0 {
			return i
		}
	}
	return -1
}

// join makes one stretch of pieces that follow one another.
func (r *stationReader) join(group []piece, start time.Time, memory *slab) Stretch {
	first := r.files[group[0].file]
	s := Stretch{Channels: first.Channels, Offset: int(math.Round(first.At(group[0].from).Sub(start).Seconds() * first.Rate))}
	for _, p := range group {
		s.Frames += p.frames
	}
	if len(group) == 1 && s.Channels == 1 {
		s.Samples = group[0].samples
		return s
	}
	s.Samples = memory.get(s.Frames * s.Channels)
	at := 0
	for _, p := range group {
		for c := range s.Channels {
			line := s.Samples[c*s.Frames+at:][:p.frames]
			for i := range line {
				line[i] = p.samples[i*s.Channels+c]
			}
		}
		at += p.frames
	}
	return s
}
