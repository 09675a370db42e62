package view

import (
	"os"
	"path/filepath"
	"regexp"
	"testing"
)

// The page makes elements of constant text only; names of recordings, which come from
// strangers, are put into them as text.
func TestPageMakesNoMarkupOfNames(t *testing.T) {
	files, err := filepath.Glob("page/*.js")
	if err != nil || len(files) < 10 {
		t.Fatalf("%d scripts, %v", len(files), err)
	}
	constant := regexp.MustCompile("^ *= *(`[^`$]*`|'[^']*'|\"[^\"]*\");")
	markup := regexp.MustCompile(`\.(innerHTML|outerHTML)\b|insertAdjacentHTML|document\.write|\beval\(|new Function`)
	found := 0
	for _, name := range files {
		data, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		for _, at := range markup.FindAllIndex(data, -1) {
			found++
			if rest := data[at[1]:]; !constant.Match(rest) {
				t.Errorf("%s: %s%s: want constant text", name, data[at[0]:at[1]], rest[:min(len(rest), 60)])
			}
		}
	}
	if found == 0 {
		t.Error("no markup is made at all: the test looks for the wrong thing")
	}
}
