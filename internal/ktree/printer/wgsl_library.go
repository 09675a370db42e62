package printer

import (
	"embed"
	"sort"
	"strings"
	"sync"
	"unicode"
)

// What WGSL lacks is written in WGSL: 64-bit integers, floats of 16 and 64 bits,
// and functions as good as those of other devices.
//
//go:embed wgsl/*.wgsl
var wgslFiles embed.FS

// wgslPart is a function or struct of the library.
type wgslPart struct {
	text string
	uses []string
}

// wgslNames is the names of the library in a text.
func wgslNames(text string) (names []string) {
	inName := func(r rune) bool { return r == '_' || unicode.IsLetter(r) || unicode.IsDigit(r) }
	for word := range strings.FieldsFuncSeq(text, func(r rune) bool { return !inName(r) }) {
		if strings.HasPrefix(word, "tw_") {
			names = append(names, word)
		}
	}
	return names
}

// wgslLibrary is the library by name.
var wgslLibrary = sync.OnceValue(func() map[string]wgslPart {
	parts := map[string]wgslPart{}
	files, err := wgslFiles.ReadDir("wgsl")
	if err != nil {
		panic(err) // it is embedded
	}
	for _, f := range files {
		data, err := wgslFiles.ReadFile("wgsl/" + f.Name())
		if err != nil {
			panic(err)
		}
		for _, block := range wgslBlocks(string(data)) {
			names := wgslNames(block)
			parts[names[0]] = wgslPart{text: block, uses: names[1:]}
		}
	}
	return parts
})

// wgslBlocks are the functions and structs of a file, without comments.
func wgslBlocks(text string) (list []string) {
	var block []string
	for _, line := range strings.Split(text, "\n") {
		if code, _, found := strings.Cut(line, "//"); found {
			line = strings.TrimRight(code, " ")
		}
		if starts := strings.HasPrefix(line, "fn ") || strings.HasPrefix(line, "struct "); starts && len(block) > 0 {
			list, block = append(list, strings.Join(block, "\n")+"\n"), nil
		}
		if line != "" {
			block = append(block, line)
		}
	}
	return append(list, strings.Join(block, "\n")+"\n")
}

// wgslNeeded is the text of what a shader uses of the library.
func wgslNeeded(shader string) string {
	library, needed := wgslLibrary(), map[string]bool{}
	var add func(names []string)
	add = func(names []string) {
		for _, n := range names {
			if p, ok := library[n]; ok && !needed[n] {
				needed[n] = true
				add(p.uses)
			}
		}
	}
	add(wgslNames(shader))
	var names []string
	for n := range needed {
		names = append(names, n)
	}
	sort.Strings(names)
	var b strings.Builder
	for _, n := range names {
		b.WriteString("\n" + library[n].text)
	}
	return b.String()
}
