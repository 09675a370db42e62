package source

import (
	"sort"
	"strings"
)

// File is one piece of kernel text.
type File struct {
	Name string
	Text string
}

// Source is the text a kernel is made of: its header, then its body.
type Source struct {
	Files []File
	lines [][]int // per file, the offset at which each line starts
}

// NewSource indexes the lines of files.
func NewSource(files ...File) *Source {
	s := &Source{Files: files}
	for _, f := range files {
		starts := []int{0}
		for i := 0; i < len(f.Text); i++ {
			if f.Text[i] == '\n' {
				starts = append(starts, i+1)
			}
		}
		s.lines = append(s.lines, starts)
	}
	return s
}

// Pos is a place in a Source. The zero Pos is the start of the first file.
type Pos struct {
	File, Offset int32
}

// Place is a Pos in the form people read.
type Place struct {
	File         string
	Line, Column int // from 1; columns count bytes
	Text         string
}

// Place finds the line and column of p.
func (s *Source) Place(p Pos) Place {
	if s == nil || int(p.File) >= len(s.Files) {
		return Place{}
	}
	f, starts := s.Files[p.File], s.lines[p.File]
	off := min(int(p.Offset), len(f.Text))
	line := sort.SearchInts(starts, off+1) - 1
	end := len(f.Text)
	if line+1 < len(starts) {
		end = starts[line+1] - 1
	}
	text := strings.TrimRight(f.Text[starts[line]:end], "\r")
	return Place{File: f.Name, Line: line + 1, Column: off - starts[line] + 1, Text: text}
}
