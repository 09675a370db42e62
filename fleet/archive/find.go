package archive

import (
	"fmt"
	"io/fs"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
)

// Extensions are of the files that are taken from a folder that is given
// without a pattern.
var Extensions = []string{".wav", ".flac", ".npy", ".npz"}

// Find lists the files that match any of the patterns, sorted, each once. In a
// pattern * is any part of a name, ? a character, [a-z] one of several, and **
// any number of folders. A folder stands for all recordings below it.
func Find(patterns ...string) ([]string, error) {
	var all []string
	for _, p := range patterns {
		names, err := find(p)
		if err != nil {
			return nil, err
		}
		if len(names) == 0 {
			return nil, fmt.Errorf("archive: find: no file matches %q", p)
		}
		all = append(all, names...)
	}
	slices.Sort(all)
	return slices.Compact(all), nil
}

func find(pattern string) ([]string, error) {
	pattern = filepath.ToSlash(filepath.Clean(pattern))
	root, rest := split(pattern)
	match, err := globber(rest)
	if err != nil {
		return nil, fmt.Errorf("archive: find: %q: %w", pattern, err)
	}
	deep := rest == "" || strings.Contains(rest, "**")
	depth := strings.Count(rest, "/")
	var names []string
	err = filepath.WalkDir(root, func(name string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		rel := "."
		if name != root {
			if rel, err = filepath.Rel(root, name); err != nil {
				return err
			}
		}
		rel = filepath.ToSlash(rel)
		if d.IsDir() {
			if !deep && rel != "." && strings.Count(rel, "/") >= depth {
				return filepath.SkipDir // no match is as deep as this
			}
			return nil
		}
		switch {
		case rest == "" && (rel == "." || slices.Contains(Extensions, strings.ToLower(filepath.Ext(name)))):
			names = append(names, name)
		case rest != "" && match.MatchString(rel):
			names = append(names, name)
		}
		return nil
	})
	if err != nil {
		return nil, fmt.Errorf("archive: find: %w", err)
	}
	return names, nil
}

// split gives the folder that a pattern starts with, and what follows it.
func split(pattern string) (root, rest string) {
	at := strings.IndexAny(pattern, "*?[")
	if at < 0 {
		return filepath.FromSlash(pattern), ""
	}
	slash := strings.LastIndexByte(pattern[:at], '/')
	switch {
	case slash < 0:
		return ".", pattern
	case slash == 0:
		return "/", pattern[1:]
	}
	return filepath.FromSlash(pattern[:slash]), pattern[slash+1:]
}

// globber is a pattern as an expression over paths with slashes.
func globber(pattern string) (*regexp.Regexp, error) {
	var b strings.Builder
	b.WriteString("^")
	for i := 0; i < len(pattern); i++ {
		switch c := pattern[i]; {
		case strings.HasPrefix(pattern[i:], "**/"):
			b.WriteString("(?:.*/)?")
			i += 2
		case strings.HasPrefix(pattern[i:], "**"):
			b.WriteString(".*")
			i++
		case c == '*':
			b.WriteString("[^/]*")
		case c == '?':
			b.WriteString("[^/]")
		case c == '[':
			end := strings.IndexByte(pattern[i:], ']')
			if end < 0 {
				return nil, fmt.Errorf("[ without ]")
			}
			b.WriteString(pattern[i : i+end+1])
			i += end
		default:
			b.WriteString(regexp.QuoteMeta(string(c)))
		}
	}
	b.WriteString("$")
	return regexp.Compile(b.String())
}
