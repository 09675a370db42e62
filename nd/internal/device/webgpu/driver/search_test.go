package driver

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// A path that is set and wrong is named with what is wrong about it.
func TestChosen(t *testing.T) {
	folder := t.TempDir()
	missing := filepath.Join(folder, "missing.so")
	for path, want := range map[string]string{missing: LibraryVar, folder: "has no " + fileName("wgpu_native")} {
		files, err := chosen(path)
		if err == nil || len(files) > 0 || !strings.Contains(err.Error(), path) || !strings.Contains(err.Error(), LibraryVar) {
			t.Errorf("%s: %v, %v", path, files, err)
		} else if !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %q in it", path, err, want)
		}
	}
	library := filepath.Join(folder, fileName("wgpu_native"))
	if err := os.WriteFile(library, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	for _, path := range []string{library, folder} {
		if files, err := chosen(path); err != nil || !slices.Equal(files, []string{library}) {
			t.Errorf("%s: %v, %v", path, files, err)
		}
	}
}

// Features of Dawn are known by what else an adapter has, of either age.
func TestNumbersOfFeatures(t *testing.T) {
	for _, c := range []struct {
		features         []Feature
		older            Feature
		halves, exchange bool
	}{
		{[]Feature{1, 2, 3, 4, 9, 0xB, 0xC, 0xF, 0x11, 0x12, 0x50000}, 1, false, true}, // SwiftShader
		{[]Feature{1, 2, 9, 0xA, 0xB, 0x10, 0x11, 0x12, 0x50000}, 1, true, true},       // llvmpipe
		{[]Feature{1, 2, 9, 0xA, 0xB, 0x11, 0x12, 0x13, 0x50000}, 0, true, true},
		{[]Feature{1, 2, 9, 0xA, 0x11, 0x50000}, 0, false, false},
	} {
		a := &Adapter{Features: c.features, older: olderBy(c.features)}
		if a.older != c.older || a.Has(ShaderF16) != c.halves || a.Has(Subgroups) != c.exchange {
			t.Errorf("%x: less by %d, halves %v, subgroups %v", c.features, a.older, a.Has(ShaderF16), a.Has(Subgroups))
		}
	}
}
