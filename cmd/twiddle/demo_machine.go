package main

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/twiddle-go/twiddle/audio"
	"github.com/twiddle-go/twiddle/audio/analyze"
	"github.com/twiddle-go/twiddle/audio/pcm"
	"github.com/twiddle-go/twiddle/audio/wav"
	"github.com/twiddle-go/twiddle/cmd/twiddle/internal/page"
	"github.com/twiddle-go/twiddle/internal/replace"
	"github.com/twiddle-go/twiddle/nd"
)

// machineTones is what a machine sounds like: a shaft, the teeth of a gear with
// the shaft's side bands around them, and an inverter.
var machineTones = []tone{{49.3, 0.2}, {1084.6, 0.03}, {1133.9, 0.1}, {1183.2, 0.03}, {5210, 0.02}}

const (
	machineRate    = 16000
	machineSeconds = 4
	machineNoise   = 0.02 // standard deviation
)

// demoMachine is the recording of a machine that is not there, and what the
// analysis made of it.
type demoMachine struct {
	Recording string  `json:"recording"`
	Pictures  string  `json:"pictures"` // a page of them
	Tones     []found `json:"tones"`
	OK        bool    `json:"ok"`
}

// runDemoMachine writes a recording to a folder, analyses it as 'twiddle
// analyze' does, and compares.
func runDemoMachine(ctx context.Context, dev *nd.Device, folder string) (*demoMachine, error) {
	var err error
	if folder == "" {
		// A folder of a fixed name in the temporary directory could be somebody else's.
		folder, err = os.MkdirTemp("", "twiddle-demo-")
	} else {
		err = os.MkdirAll(folder, 0o777)
	}
	if err != nil {
		return nil, fmt.Errorf("demo: %w", err)
	}
	m := &demoMachine{Recording: filepath.Join(folder, "machine.wav"), Pictures: filepath.Join(folder, "machine.html")}
	if err := wav.WriteFile(m.Recording, pcm.Format{Encoding: pcm.Int16, Channels: 1, Rate: machineRate}, machineSound()); err != nil {
		return nil, err
	}
	f, err := audio.Open(m.Recording)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	r, err := analyze.Recording(ctx, f, analyze.Options{Stream: dev.Stream()})
	if err != nil {
		return nil, err
	}
	m.check(r)
	entry, err := page.NewEntry(m.Recording, r)
	if err != nil {
		return nil, err
	}
	entry.Sound = soundOf(ctx, m.Recording, m.Pictures, audio.Options{}, r)
	err = replace.File(m.Pictures, func(out *os.File) error {
		return page.WriteHTML(out, "A machine", []page.Entry{entry})
	})
	if err != nil {
		return nil, fmt.Errorf("demo: %w", err)
	}
	return m, nil
}

// machineSound is the samples.
func machineSound() []float32 {
	noise := rand.New(rand.NewPCG(7, 7))
	x := make([]float32, machineRate*machineSeconds)
	for i := range x {
		v := machineNoise * noise.NormFloat64()
		for j, t := range machineTones {
			v += t.Amplitude * math.Sin(2*math.Pi*t.Hz/machineRate*float64(i)+float64(j))
		}
		x[i] = float32(v)
	}
	return x
}

// check compares what stands out with what was put in.
func (m *demoMachine) check(r *analyze.Result) {
	peaks := slices.Clone(r.Peaks)
	slices.SortFunc(peaks, func(a, b analyze.Peak) int { return cmp.Compare(a.Frequency, b.Frequency) })
	bin := r.Rate / float64(r.NPerSeg)
	m.OK = len(peaks) == len(machineTones)
	for i := range min(len(peaks), len(machineTones)) {
		f := found{Truth: machineTones[i], Found: tone{Hz: peaks[i].Frequency, Amplitude: math.Pow(10, peaks[i].Level/20)}}
		f.OK = math.Abs(f.Found.Hz-f.Truth.Hz) < 0.25*bin && math.Abs(f.Found.Amplitude/f.Truth.Amplitude-1) < 0.15
		m.OK = m.OK && f.OK
		m.Tones = append(m.Tones, f)
	}
}

func (m *demoMachine) write(b *strings.Builder) {
	fmt.Fprintf(b, "A machine recorded for %d s, a shaft, a gear and an inverter, analysed:\n\n", machineSeconds)
	writeFound(b, m.Tones)
	fmt.Fprintf(b, "\nRecording: %s\nPictures:  %s\n\nLook at it in a browser:\n\n  %s view %s\n", m.Recording, m.Pictures, calledAs(), m.Recording)
}

// calledAs is how this program is called again: "go run" leaves none behind.
func calledAs() string {
	if name, err := os.Executable(); err == nil && strings.Contains(filepath.ToSlash(name), "/go-build") {
		return "go run ./cmd/twiddle"
	}
	return "twiddle"
}

// writeFound prints tones and what was found.
func writeFound(b *strings.Builder, tones []found) {
	b.WriteString("        hidden               found\n")
	for _, t := range tones {
		verdict := "ok"
		if !t.OK {
			verdict = "WRONG"
		}
		fmt.Fprintf(b, "  %8.2f Hz  %.3f   %8.2f Hz  %.3f   %s\n", t.Truth.Hz, t.Truth.Amplitude, t.Found.Hz, t.Found.Amplitude, verdict)
	}
}
