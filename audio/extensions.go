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

// Recordings returns the files of a folder that are recordings, by their names. Text
// tables count only if there is nothing else: next to recordings they are usually lists or
// results.
func Recordings(files []string) []string {
	var tables, others []string
	for _, name := range files {
		switch {
		case isTable(name):
			tables = append(tables, name)
		case slices.Contains(Extensions(), strings.ToLower(filepath.Ext(name))):
			others = append(others, name)
		}
	}
	if others == nil {
		return tables
	}
	return others
}

// isTable says that a file's name promises a text table.
func isTable(name string) bool {
	ending := strings.ToLower(filepath.Ext(name))
	return ending == ".csv" || ending == ".tsv"
}
