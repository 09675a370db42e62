package view

import (
	"bufio"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"math"
	"net/http"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"github.com/twiddle-go/twiddle/audio/pcm"
	"github.com/twiddle-go/twiddle/audio/wav"
	"github.com/twiddle-go/twiddle/nd"
	"github.com/twiddle-go/twiddle/signal"
)

// export answers with a part of a recording as a file, or with a program that
// computes it.
func (s *Server) export(w http.ResponseWriter, r *http.Request) {
	p, err := s.partOf(r.URL.Query())
	if err != nil {
		fail(w, err)
		return
	}
	defer p.rec.Close()
	name := strings.TrimSuffix(filepath.Base(p.item), filepath.Ext(p.item)) + fmt.Sprintf("-%d-%d", p.from, p.to)
	attach := func(name, kind string) {
		w.Header().Set("Content-Type", kind)
		w.Header().Set("Content-Disposition", "attachment; filename="+strconv.Quote(plainName(name)))
	}
	switch what := r.PathValue("what"); what {
	case "wav":
		err = p.writeWAV(w, r, func() { attach(name+".wav", "audio/wav") })
	case "spectrum.csv":
		err = p.spectrumCSV(w, r, s.opt.Stream, func() { attach(name+"-spectrum.csv", "text/csv") })
	case "spectrogram.csv":
		err = p.spectrogramCSV(w, r, s.opt.Stream, func() { attach(name+"-spectrogram.csv", "text/csv") })
	case "command":
		w.Header().Set("Content-Type", "text/plain; charset=utf-8")
		_, err = io.WriteString(w, p.command(s.opt.Command))
	case "go":
		w.Header().Set("Content-Type", "text/plain; charset=utf-8")
		_, err = io.WriteString(w, p.program())
	default:
		err = fmt.Errorf("view: export of %q: %w", what, ErrUnknown)
	}
	if err != nil {
		fail(w, err)
	}
}

// plainName is a name without what headers and file systems have rules for.
func plainName(name string) string {
	return strings.Map(func(r rune) rune {
		if r < ' ' || r > '~' || strings.ContainsRune(`"\/:*?<>|`, r) {
			return '_'
		}
		return r
	}, name)
}

// exportEncoding is that of a part written to a file: the recording's own, where
// WAV has it.
func (p *part) exportEncoding() pcm.Encoding {
	switch e, err := pcm.ParseEncoding(p.info.Encoding); {
	case err != nil:
		return pcm.Float32
	case e == pcm.Int8:
		return pcm.Int16
	default:
		return e
	}
}

// writeWAV sends the chosen channels as a WAV file, by way of a temporary one:
// its header has sizes.
func (p *part) writeWAV(w http.ResponseWriter, r *http.Request, attach func()) error {
	if rate := p.info.rate(); rate != math.Trunc(rate) || rate > math.MaxUint32 {
		return fmt.Errorf("view: export: WAV files have no rate of %g frames per second", rate)
	}
	f, err := os.CreateTemp("", "twiddle-view-*.wav")
	if err != nil {
		return fmt.Errorf("view: export: %w", err)
	}
	defer os.Remove(f.Name())
	defer f.Close()
	channels := p.channels()
	out, err := wav.NewWriter(f, pcm.Format{Encoding: p.exportEncoding(), Channels: len(channels), Rate: p.info.rate()})
	if err == nil {
		err = each(p, r, func(frames []float64) error {
			return out.Write64(pick(frames, p.info.Channels, channels))
		})
		err = errors.Join(err, out.Close())
	}
	if err != nil {
		return err
	}
	attach()
	http.ServeContent(w, r, "", time.Time{}, f)
	return nil
}

// each gives the frames of the part in pieces.
func each[T sample](p *part, r *http.Request, f func(frames []T) error) error {
	room := make([]T, max(1, (1<<17)/p.info.Channels)*p.info.Channels)
	for at := p.from; at < p.to; {
		if err := r.Context().Err(); err != nil {
			return err
		}
		frames := room[:min(int64(len(room)/p.info.Channels), p.to-at)*int64(p.info.Channels)]
		if err := readPadded(p.rec, frames, at, p.info.Channels); err != nil {
			return err
		}
		if err := f(frames); err != nil {
			return err
		}
		at += int64(len(frames) / p.info.Channels)
	}
	return nil
}

// pick is some channels of frames.
func pick[T sample](frames []T, all int, channels []int) []T {
	if len(channels) == all {
		return frames
	}
	out := make([]T, 0, len(frames)/all*len(channels))
	for f := 0; f < len(frames); f += all {
		for _, c := range channels {
			out = append(out, frames[f+c])
		}
	}
	return out
}

// maxPlayed is how many frames are sent to be played: a browser holds them in
// memory.
const maxPlayed = 30 << 20

// samples answers with the frames of a part as float32, for the page to play:
// two channels at most.
func (s *Server) samples(w http.ResponseWriter, r *http.Request) {
	p, err := s.partOf(r.URL.Query())
	if err != nil {
		fail(w, err)
		return
	}
	defer p.rec.Close()
	channels := p.channels()
	channels = channels[:min(len(channels), 2)]
	p.to = min(p.to, p.from+maxPlayed)
	w.Header().Set("Content-Type", "application/octet-stream")
	w.Header().Set("X-Channels", strconv.Itoa(len(channels)))
	b := bufio.NewWriterSize(w, 1<<16)
	err = each(p, r, func(frames []float32) error {
		var word [4]byte
		for _, v := range pick(frames, p.info.Channels, channels) {
			binary.LittleEndian.PutUint32(word[:], math.Float32bits(v))
			if _, err := b.Write(word[:]); err != nil {
				return err
			}
		}
		return nil
	})
	if err = errors.Join(err, b.Flush()); err != nil {
		panic(http.ErrAbortHandler) // half of it is sent: the page is to notice
	}
}

// spectrumCSV is the power spectral density of each channel, as scipy.signal.welch
// gives it.
func (p *part) spectrumCSV(w http.ResponseWriter, r *http.Request, stream *nd.Stream, attach func()) error {
	hz, density, _, err := p.density(r.Context(), stream)
	if err != nil {
		return err
	}
	attach()
	b := bufio.NewWriter(w)
	b.WriteString("frequency")
	if p.info.IQ {
		b.WriteString(",density")
	} else {
		for _, c := range p.channels() {
			fmt.Fprintf(b, ",density_%d", c+1)
		}
	}
	b.WriteByte('\n')
	for k, f := range hz {
		b.WriteString(number(f))
		for _, d := range density {
			b.WriteByte(',')
			b.WriteString(number(d[k]))
		}
		b.WriteByte('\n')
	}
	return b.Flush()
}

// number is the shortest text that reads back as v.
func number(v float64) string { return strconv.FormatFloat(v, 'g', -1, 64) }

// maxCSV is how many numbers a spectrogram may have as text.
const maxCSV = 8 << 20

// spectrogramCSV is the mean power spectral density of the chosen channels over
// time, as scipy.signal.spectrogram gives it: a line for each segment.
func (p *part) spectrogramCSV(w http.ResponseWriter, r *http.Request, stream *nd.Stream, attach func()) error {
	o := p.spectral()
	size := int64(min(p.to-p.from, int64(o.NPerSeg)))
	hop := min(int64(p.look.Hop), size)
	segments := (p.to-p.from-size)/hop + 1
	bins := size/2 + 1
	if p.info.IQ {
		bins = size
	}
	if n := segments * bins; n > maxCSV {
		return fmt.Errorf("view: export: %d numbers: select less, or use a longer hop", n)
	}
	if o.NOverlap = int(size - hop); o.NOverlap == 0 {
		o.NOverlap = signal.None
	}
	batch := max(1, int64(1<<18)/(size*int64(len(p.channels()))))
	b := bufio.NewWriter(w)
	for at := int64(0); at < segments; at += batch {
		n := min(batch, segments-at)
		x, err := p.lines(p.from+at*hop, int((n-1)*hop+size), stream)
		if err != nil {
			return err
		}
		power, frequencies := p.ascending(signal.Spectrogram(x, signal.PSD, o), -2)
		values, err := nd.Slice[float64](r.Context(), power.Mean(0).Transpose())
		if err != nil {
			return err
		}
		if at == 0 {
			attach()
			b.WriteString("time")
			for _, f := range frequencies {
				b.WriteString("," + number(f))
			}
			b.WriteByte('\n')
		}
		for i := range n {
			b.WriteString(number((float64(p.from+(at+i)*hop) + float64(size)/2) / p.info.rate()))
			for _, v := range values[i*bins : (i+1)*bins] {
				b.WriteString("," + number(v))
			}
			b.WriteByte('\n')
		}
	}
	return b.Flush()
}
