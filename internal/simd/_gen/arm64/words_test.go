package arm64

import (
	"encoding/binary"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"testing"

	"golang.org/x/arch/arm64/arm64asm"
)

var encoded = regexp.MustCompile(`\bWORD \$(0x[0-9a-f]{8}) // (.*)`)

// Every word of the generated files is the instruction beside it.
func TestWordsDecode(t *testing.T) {
	paths, err := filepath.Glob("../../*/z*_arm64.s")
	if err != nil || len(paths) == 0 {
		t.Fatalf("no generated files: %v", err)
	}
	kinds := map[string]bool{}
	for _, path := range paths {
		text, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range encoded.FindAllSubmatch(text, -1) {
			bits, err := strconv.ParseUint(string(m[1]), 0, 32)
			if err != nil {
				t.Fatal(err)
			}
			i, err := arm64asm.Decode(binary.LittleEndian.AppendUint32(nil, uint32(bits)))
			if err != nil {
				t.Fatalf("%s: %s // %s: %v", path, m[1], m[2], err)
			}
			if got := arm64asm.GNUSyntax(i); got != string(m[2]) {
				t.Fatalf("%s: %s is %q, not %q", path, m[1], got, m[2])
			}
			kinds[i.Op.String()] = true
		}
	}
	if len(kinds) == 0 {
		t.Error("no encoded instruction")
	}
	t.Logf("%d files, %d kinds of instructions", len(paths), len(kinds))
}

// Every word the back end can write decodes to its text, whether a kernel has it
// or not.
func TestWords(t *testing.T) {
	for name, w := range words {
		if w.goText != "" {
			continue
		}
		for _, o := range [][4]int{{0, 1, 2, 1}, {31, 30, 29, 1}, {5, 17, 9, 0}} {
			if w.place != nil && o[3] == 0 && !regexp.MustCompile(`\[\]`).MatchString(name) {
				o[3] = 3 // a shift by nothing is no shift
			}
			if regexp.MustCompile(`%\[3\]`).MatchString(w.text) == false {
				o[2] = 0
			}
			m := encoded.FindStringSubmatch(w.line(o[0], o[1], o[2], o[3]))
			bits, err := strconv.ParseUint(m[1], 0, 32)
			if err != nil {
				t.Fatal(err)
			}
			i, err := arm64asm.Decode(binary.LittleEndian.AppendUint32(nil, uint32(bits)))
			if err != nil {
				t.Errorf("%s: %s // %s: %v", name, m[1], m[2], err)
			} else if got := arm64asm.GNUSyntax(i); got != m[2] {
				t.Errorf("%s: %s is %q, not %q", name, m[1], got, m[2])
			}
		}
	}
}
