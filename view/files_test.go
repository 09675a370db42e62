package view

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/twiddle-go/twiddle/audio"
)

// A folder lists files of every kind that can be opened, and no others; tables only where there is
// nothing else.
func TestFolderLists(t *testing.T) {
	folder := t.TempDir()
	var want []string
	for _, ending := range audio.Extensions() {
		want = append(want, "a"+ending)
	}
	for _, name := range append([]string{"a.txt", "a"}, want...) {
		if err := os.WriteFile(filepath.Join(folder, name), nil, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	source, err := Files(audio.Options{}, folder)
	if err != nil {
		t.Fatal(err)
	}
	items, err := source.Items()
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, item := range items {
		got = append(got, item.Name)
	}
	want = audio.Recordings(want)
	slices.Sort(want)
	if slices.Sort(got); !slices.Equal(got, want) {
		t.Errorf("listed %q, want %q", got, want)
	}
}

// Joined sources list the items of each, and open every one of them.
func TestJoin(t *testing.T) {
	var sources []Source
	for i, name := range []string{"one", "two"} {
		s, err := Samples(name, 8000, 1, make([]float32, 100*(i+1)))
		if err != nil {
			t.Fatal(err)
		}
		sources = append(sources, s)
	}
	both := Join(sources...)
	sources[0] = nil // what was joined stays so
	items, err := both.Items()
	if err != nil || len(items) != 2 || items[0].Name != "one" || items[1].Name != "two" {
		t.Fatal(items, err)
	}
	for i, item := range items {
		r, err := both.Open(item.ID)
		if err != nil {
			t.Fatal(err)
		}
		if frames := r.Info().Frames; frames != int64(100*(i+1)) {
			t.Errorf("%s has %d frames", item.Name, frames)
		}
	}
	if _, err := both.Open("three"); !errors.Is(err, ErrUnknown) {
		t.Error(err)
	}
}
