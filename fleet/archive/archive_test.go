package archive

import (
	"os"
	"path/filepath"
	"slices"
	"testing"
	"time"
)

func TestPatterns(t *testing.T) {
	for _, c := range []struct{ pattern, path, station, at string }{
		{"{station}_%Y%m%d_%H%M%S", "a/b/north_20240301_121314.wav", "north", "2024-03-01T12:13:14Z"},
		{"{station}/*_%Y%m%dT%H%M%S", "a/north/x_y_20240301T121314.flac", "north", "2024-03-01T12:13:14Z"},
		{"{station}.%y%m%d%H%M%S", "5147.200403183959.wav", "5147", "2020-04-03T18:39:59Z"},
		{"%Y.%j.%H%M%S.%f", "2024.061.121314.250.npy", "", "2024-03-01T12:13:14.25Z"},
		{"*%s", "rec-1709295194.wav", "", "2024-03-01T12:13:14Z"},
		{"%Y-%m-%dT%H-%M-%S%z", "2024-03-01T13-13-14+0100.wav", "", "2024-03-01T12:13:14Z"},
		{"{station}/*", "north/a.wav", "north", "0001-01-01T00:00:00Z"},
	} {
		p, err := ParsePattern(c.pattern)
		if err != nil {
			t.Fatal(err)
		}
		station, at, err := p.Match(c.path)
		if err != nil || station != c.station || at.Format(time.RFC3339Nano) != c.at {
			t.Errorf("%s of %s: %q at %s, %v", c.pattern, c.path, station, at.Format(time.RFC3339Nano), err)
		}
	}
	for _, bad := range []string{"%Q", "%H%M", "{name}_%Y%m%d", "%Y%"} {
		if _, err := ParsePattern(bad); err == nil {
			t.Errorf("%s is taken", bad)
		}
	}
	p, err := ParsePattern("%Y%m%d")
	if err != nil {
		t.Fatal(err)
	}
	for _, bad := range []string{"20240230.wav", "x20240228.wav", "notes.txt"} {
		if _, at, err := p.Match(bad); err == nil {
			t.Errorf("%s is at %v", bad, at)
		}
	}
}

func TestUsualTimes(t *testing.T) {
	for name, want := range map[string]string{
		"deep_20240301T121314Z.wav":       "2024-03-01T12:13:14Z",
		"20240301_121314.WAV":             "2024-03-01T12:13:14Z",
		"MARS-20240301T121314.500Z.wav":   "2024-03-01T12:13:14.5Z",
		"5147.200403183959.wav":           "2020-04-03T18:39:59Z",
		"X_2024-03-01_12-13-14.flac":      "2024-03-01T12:13:14Z",
		"icListen_1234_240301-121314.wav": "2024-03-01T12:13:14Z",
	} {
		if got := timeOf("some/folder/" + name); got.Format(time.RFC3339Nano) != want {
			t.Errorf("%s: %v, want %s", name, got, want)
		}
	}
	for _, name := range []string{"notes.wav", "20241301_121314.wav", "12345.wav"} {
		if got := timeOf(name); !got.IsZero() {
			t.Errorf("%s is at %v", name, got)
		}
	}
}

func TestFind(t *testing.T) {
	folder := t.TempDir()
	for _, name := range []string{"a.wav", "b/c.wav", "b/d/e.wav", "b/d/e.flac", "b/notes.txt"} {
		full := filepath.Join(folder, name)
		if err := os.MkdirAll(filepath.Dir(full), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(full, nil, 0o666); err != nil {
			t.Fatal(err)
		}
	}
	for pattern, want := range map[string][]string{
		"":            {"a.wav", "b/c.wav", "b/d/e.flac", "b/d/e.wav"},
		"*.wav":       {"a.wav"},
		"**/*.wav":    {"a.wav", "b/c.wav", "b/d/e.wav"},
		"b/*/*":       {"b/d/e.flac", "b/d/e.wav"},
		"b/**":        {"b/c.wav", "b/d/e.flac", "b/d/e.wav", "b/notes.txt"},
		"?.wav":       {"a.wav"},
		"b/[cd].wav":  {"b/c.wav"},
		"b/notes.txt": {"b/notes.txt"},
	} {
		got, err := Find(filepath.Join(folder, pattern))
		for i := range got {
			got[i], _ = filepath.Rel(folder, got[i])
		}
		if err != nil || !slices.Equal(got, want) {
			t.Errorf("%q: %v, %v, want %v", pattern, got, err, want)
		}
	}
	if _, err := Find(filepath.Join(folder, "*.mp3")); err == nil {
		t.Error("no file is no error")
	}
}

// Ranges that meet share no frame and lose none, also at rates that are no
// whole number.
func TestFramesOfRanges(t *testing.T) {
	r := &Recording{Start: time.Date(2024, 3, 1, 0, 0, 3, 141592653, time.UTC), Rate: 47999.7, Frames: 100_000_000}
	next := int64(0)
	for at := r.Start.Truncate(time.Minute); at.Before(r.End().Add(time.Minute)); at = at.Add(time.Minute) {
		from, to := r.FrameAt(at), r.FrameAt(at.Add(time.Minute))
		if from != next || to < from {
			t.Fatalf("%v: frames %d to %d, the last ended at %d", at, from, to, next)
		}
		next = to
	}
	if next != r.Frames {
		t.Errorf("the last range ends at %d of %d", next, r.Frames)
	}
}
