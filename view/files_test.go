package view

import (
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/twiddle-go/twiddle/audio"
)

// A folder lists files of every kind that can be opened, and no others.
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
	slices.Sort(want)
	if slices.Sort(got); !slices.Equal(got, want) {
		t.Errorf("listed %q, want %q", got, want)
	}
}
