package linttest

import (
	"go/scanner"
	"go/token"
	"math/rand/v2"
	"strings"
	"testing"

	"golang.org/x/tools/go/analysis"
)

// mutants is how many broken versions of each source a plain go test tries.
const mutants = 150

// Fuzz feeds a pass its own test data, broken in many ways: it must neither
// fail nor report places that do not exist.
func Fuzz(f *testing.F, a *analysis.Analyzer) {
	rng := rand.New(rand.NewPCG(1, 2))
	for name, text := range readSources(f) {
		if !strings.HasSuffix(name, ".go") {
			continue
		}
		f.Add(text)
		for range mutants {
			f.Add(mutate(rng, text))
		}
	}
	f.Fuzz(func(t *testing.T, src string) {
		if len(src) > 1<<16 {
			return
		}
		if _, err := Check(a, src); err != nil {
			t.Error(err)
		}
	})
}

// mutate drops, doubles, swaps and replaces a few tokens of a source.
func mutate(rng *rand.Rand, src string) string {
	words := tokens(src)
	if len(words) < 4 {
		return src
	}
	for range 1 + rng.IntN(4) {
		i, j := rng.IntN(len(words)-2), rng.IntN(len(words))
		switch rng.IntN(6) {
		case 0:
			words[i] = ""
		case 1:
			words[i] += " " + words[i]
		case 2:
			words[i], words[i+1] = words[i+1], words[i]
		case 3:
			words[i] = words[j]
		case 4:
			words = words[:i+2]
		case 5:
			n := min(len(words), j+rng.IntN(40))
			words = append(append(append([]string(nil), words[:i]...), words[min(j, n):n]...), words[i:]...)
		}
		if len(words) < 4 {
			break
		}
	}
	return strings.Join(words, "")
}

// tokens splits a source so that the parts joined give it back.
func tokens(src string) []string {
	var s scanner.Scanner
	file := token.NewFileSet().AddFile("", -1, len(src))
	s.Init(file, []byte(src), nil, scanner.ScanComments)
	var parts []string
	last := 0
	for {
		pos, tok, _ := s.Scan()
		at := file.Offset(pos)
		if at > last {
			parts = append(parts, src[last:at])
			last = at
		}
		if tok == token.EOF {
			return append(parts, src[last:])
		}
	}
}
