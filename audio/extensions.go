package audio

import (
	"path/filepath"
	"slices"
	"strings"
)

// Extensions is how the names of files end that Open reads, in small letters. For those
// of MP3 and Ogg Vorbis a program has to import their packages.
func Extensions() []string {
	return []string{".wav", ".wave", ".rf64", ".bw64", ".flac", ".mp3", ".ogg", ".oga", ".npy", ".npz", ".csv", ".tsv"}
}

// Recordings is which of a folder's files are recordings, by their names. Tables in text are,
// where there is nothing else: beside recordings they are lists of them, or results.
func Recordings(files []string) []string {
	var tables, others []string
	for _, name := range files {
		switch ending := strings.ToLower(filepath.Ext(name)); {
		case ending == ".csv" || ending == ".tsv":
			tables = append(tables, name)
		case slices.Contains(Extensions(), ending):
			others = append(others, name)
		}
	}
	if others == nil {
		return tables
	}
	return others
}
