package main

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// spoken is a command line in a document: in a block, or in a code span, up to a comment,
// a pipe or a redirection.
var spoken = regexp.MustCompile("(?:^|[ `])(?:go run \\./cmd/)?twiddle ([a-z][^`#|<>\n]*)")

// TestDocumentedCommands finds verbs and flags in the documents that the command does
// not have.
func TestDocumentedCommands(t *testing.T) {
	var documents []string
	for _, pattern := range []string{"../../*.md", "../../docs/*.md", "../../docs/notes/*.md"} {
		found, err := filepath.Glob(pattern)
		if err != nil || len(found) == 0 {
			t.Fatal(pattern, err)
		}
		documents = append(documents, found...)
	}
	count := 0
	for _, name := range documents {
		if filepath.Base(name) == "CHANGELOG.md" {
			continue // speaks of old versions
		}
		text, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		for line := range strings.Lines(strings.ReplaceAll(string(text), "\\\n", " ")) {
			block := strings.HasPrefix(line, "    ")
			for _, m := range spoken.FindAllStringSubmatch(line, -1) {
				if block || strings.Contains(line, "`twiddle "+strings.TrimSpace(m[1])+"`") {
					count++
					checkSpoken(t, name, strings.Fields(m[1]))
				}
			}
		}
	}
	if count < 100 {
		t.Errorf("%d commands: the test does not find them", count)
	}
}

func checkSpoken(t *testing.T, document string, words []string) {
	t.Helper()
	verb, rest, err := newRootCommand().Find(words)
	if err != nil || verb == verb.Root() {
		t.Errorf("%s: twiddle %s: there is no such verb", document, strings.Join(words, " "))
		return
	}
	verb.InitDefaultHelpFlag()
	for _, w := range rest {
		flag, long := strings.CutPrefix(w, "--")
		if w == "--" {
			break // what follows is another verb's
		}
		flag, _, _ = strings.Cut(flag, "=")
		if flag = strings.TrimRight(flag, ",.;:)"); long && verb.Flag(flag) == nil {
			t.Errorf("%s: twiddle %s: %s has no --%s", document, strings.Join(words, " "), verb.CommandPath(), flag)
		}
	}
}

// shown is a command in a block of a document, and what it prints below it.
var shown = regexp.MustCompile(`(?m)^    \$ twiddle (plan .*)\n((?:    .*\n)+)`)

// TestDocumentedPlans compares the plans of transforms in the documents with what the command
// prints on a machine without such a device.
func TestDocumentedPlans(t *testing.T) {
	text, err := os.ReadFile("../../docs/CUDA.md")
	if err != nil {
		t.Fatal(err)
	}
	found := shown.FindAllStringSubmatch(string(text), -1)
	if len(found) == 0 {
		t.Error("there are none: the test does not find them")
	}
	for _, m := range found {
		_, got, _ := twiddle(t, strings.Fields(m[1])...)
		if want := regexp.MustCompile("(?m)^    ").ReplaceAllString(m[2], ""); strings.Contains(got, "planned as for") && got != want {
			t.Errorf("twiddle %s prints\n%s\nand docs/CUDA.md has\n%s", m[1], got, want)
		}
	}
}
