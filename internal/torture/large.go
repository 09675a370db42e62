//go:build linux

package main

import (
	"fmt"
	"math"
	"os"
	"path/filepath"
	"time"

	"github.com/twiddle-go/twiddle/audio/pcm"
	"github.com/twiddle-go/twiddle/audio/wav"
)

// bounded is what a verb may hold while it reads a recording of any length: code,
// buffers, and the columns of a picture.
const bounded = 400 << 20

// large gives verbs recordings that do not fit: a verb works through them in
// bounded memory, or says that it cannot.
func (t *torture) large() (string, []string) {
	folder := filepath.Join(t.work, "large")
	if err := os.Mkdir(folder, 0o700); err != nil {
		return "", []string{err.Error()}
	}
	defer os.RemoveAll(folder)
	size := int64(10 << 30)
	hours := 2.0
	if t.quick {
		size, hours = 1<<30, 0.2
	}
	file := func(name string) string { return filepath.Join(folder, name) }
	for _, err := range []error{
		t.sparse(file("sparse.wav"), wavHeader(1, 2, 48000, 16, 0xffffffff, 0xffffffff), size),
		t.sparse(file("sparse.npy"), npyHeader("<f4", fmt.Sprintf("(%d,)", (size-200)/4)), size),
		t.sparse(file("sparse.bin"), nil, size),
		tones(file("hours.wav"), hours),
	} {
		if err != nil {
			return "", []string{err.Error()}
		}
	}
	whole := 10 * time.Minute
	runs := []struct {
		args  []string
		limit int // of memory that is resident
		fails bool
	}{
		{[]string{"analyze", file("sparse.wav")}, bounded, false},
		{[]string{"analyze", file("sparse.npy"), "--fs", "48000"}, bounded, false},
		{[]string{"analyze", file("sparse.bin"), "--raw", "int16", "--channels", "2", "--fs", "48000"}, bounded, false},
		{[]string{"analyze", file("hours.wav"), "--out", file("hours.html")}, bounded, false},
		{[]string{"mel", file("hours.wav"), "--out", file("mel.npy"), "--n-mels", "40"}, most, false},
		{[]string{"stft", file("hours.wav"), "--out", file("z2.npy")}, bounded, false},
		// A part of a large file takes no more than the part.
		{[]string{"welch", file("sparse.wav"), "--frames", "200000000:200100000", "--out", file("p.npy")}, bounded, false},
		{[]string{"stft", file("hours.wav"), "--frames", "30000000:30100000", "--out", file("z.npy")}, bounded, false},
		// All of it at once does not fit, and that is said before it is tried.
		{[]string{"welch", file("sparse.npy"), "--out", file("p2.npy")}, most, true},
		{[]string{"fft", "--in", file("sparse.npy"), "--out", file("f.npy")}, most, true},
		{[]string{"peaks", file("sparse.npy")}, most, true},
		{[]string{"conv", "--in", file("sparse.npy"), "--filter", t.inputs.files["filter"], "--out", file("c.npy")}, most, true},
	}
	var failures []string
	resident := 0
	for _, r := range runs {
		p, wrong := t.verb(folder, whole, r.args...)
		failures = append(failures, wrong...)
		resident = max(resident, p.resident)
		switch {
		case p.interrupted:
			failures = append(failures, fmt.Sprintf("twiddle %s: not done in %s", shown(r.args), whole))
		case (p.status != 0) != r.fails:
			failures = append(failures, fmt.Sprintf("twiddle %s: status %d: %s", shown(r.args), p.status, tail(p.err, 300)))
		case p.resident > r.limit:
			failures = append(failures, fmt.Sprintf("twiddle %s: %d MiB resident: want at most %d", shown(r.args), p.resident>>20, r.limit>>20))
		}
		fmt.Printf("torture: large: %s: status %d, %d MiB resident, %s\n", shown(r.args), p.status, p.resident>>20, p.took.Round(100*time.Millisecond))
	}
	return fmt.Sprintf("%d runs on sparse files of %d GiB and a recording of %g h, at most %d MiB resident of a limit of %d", len(runs), size>>30, hours, resident>>20, memory>>20), failures
}

// tones writes a recording of some hours, 48 kHz, one channel.
func tones(name string, hours float64) error {
	const rate = 48000
	w, err := wav.Create(name, pcm.Format{Encoding: pcm.Int16, Channels: 1, Rate: rate})
	if err != nil {
		return err
	}
	second := make([]float32, rate) // whole periods of whole frequencies
	for i := range second {
		second[i] = float32(0.3*math.Sin(2*math.Pi*440*float64(i)/rate) + 0.1*math.Sin(2*math.Pi*5000*float64(i)/rate))
	}
	for range int(hours * 3600) {
		if err := w.Write(second); err != nil {
			return err
		}
	}
	return w.Close()
}
