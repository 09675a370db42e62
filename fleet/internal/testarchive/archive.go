// Package testarchive makes small archives of recordings, and compares folders
// of results.
package testarchive

import (
	"bytes"
	"fmt"
	"io/fs"
	"math"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/twiddle-go/twiddle/audio/pcm"
	"github.com/twiddle-go/twiddle/audio/wav"
)

// Rate is that of recordings, in Hz: low, so that days are small.
const Rate = 100

// Sample is a sample of a station at a frame since 1970: noise and a tone, the
// same whatever file it is in.
func Sample(station int, frame int64) float32 {
	x := uint64(frame)*0x9e3779b97f4a7c15 + uint64(station)*0xbf58476d1ce4e5b9
	x ^= x >> 29
	x *= 0x94d049bb133111eb
	x ^= x >> 32
	noise := float64(x>>40)/(1<<24) - 0.5
	tone := math.Sin(2 * math.Pi * float64(10+station) * float64(frame%Rate) / Rate)
	return float32(math.Round(8192*(0.4*noise+0.2*tone))) / 32768
}

// Write writes a recording of a station.
func Write(t testing.TB, folder string, station int, start time.Time, length time.Duration) string {
	t.Helper()
	name := filepath.Join(folder, fmt.Sprintf("s%d", station), fmt.Sprintf("rec_%s.wav", start.UTC().Format("20060102T150405")))
	if err := os.MkdirAll(filepath.Dir(name), 0o777); err != nil {
		t.Fatal(err)
	}
	samples := make([]float32, int(length.Seconds()*Rate))
	first := start.Unix() * Rate
	for i := range samples {
		samples[i] = Sample(station, first+int64(i))
	}
	if err := wav.WriteFile(name, pcm.Format{Encoding: pcm.Int16, Channels: 1, Rate: Rate}, samples); err != nil {
		t.Fatal(err)
	}
	return name
}

// Start is where archives begin: an hour and a bit before midnight.
var Start = time.Date(2024, 2, 28, 22, 50, 17, 0, time.UTC)

// Make writes an archive of two stations: files of odd lengths that follow one
// another across midnight, a gap, and three files with problems.
func Make(t testing.TB, folder string) {
	at := Start
	for _, minutes := range []float64{30.5, 41.25, 10, 17, 25.1} {
		length := time.Duration(minutes * float64(time.Minute)).Truncate(time.Second)
		Write(t, folder, 0, at, length)
		at = at.Add(length)
	}
	Write(t, folder, 0, at.Add(3*time.Hour), 20*time.Minute)
	Write(t, folder, 1, Start.Add(time.Minute), 2*time.Hour)
	bad := filepath.Join(folder, "s1")
	for name, data := range map[string]string{"rec_20240229T050000.wav": "", "rec_20240229T060000.wav": "RIFF and then nothing that is WAV", "notes.wav": "x"} {
		if err := os.WriteFile(filepath.Join(bad, name), []byte(data), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	short := Write(t, folder, 1, Start.Add(4*time.Hour), 10*time.Minute)
	if err := os.Truncate(short, 30_000); err != nil {
		t.Fatal(err)
	}
}

// Pattern is that of the names of an archive.
const Pattern = "{station}/rec_%Y%m%dT%H%M%S"

// Compare fails if two folders of results do not have the same files with the
// same bytes; what is not results is left out.
func Compare(t testing.TB, one, other string) {
	t.Helper()
	a, b := files(t, one), files(t, other)
	if len(a) == 0 {
		t.Errorf("%s has no files", one)
	}
	for name, data := range a {
		switch got, ok := b[name]; {
		case !ok:
			t.Errorf("%s is not in %s", name, other)
		case !bytes.Equal(data, got):
			t.Errorf("%s differs: %d and %d bytes", name, len(data), len(got))
		}
	}
	for name := range b {
		if _, ok := a[name]; !ok {
			t.Errorf("%s is only in %s", name, other)
		}
	}
}

func files(t testing.TB, folder string) map[string][]byte {
	t.Helper()
	all := map[string][]byte{}
	err := filepath.WalkDir(folder, func(name string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if d.IsDir() {
			if d.Name() == ".fleet" {
				return filepath.SkipDir
			}
			return nil
		}
		b, err := os.ReadFile(name)
		rel, _ := filepath.Rel(folder, name)
		all[rel] = b
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return all
}
