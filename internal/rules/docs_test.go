package rules_test

import (
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

var (
	blocks = regexp.MustCompile("(?ms)^```.*?^```$|^    [^\n]*$") // of code
	link   = regexp.MustCompile(`\]\(([^)\s]+)\)`)
	code   = regexp.MustCompile("`([^`\n]+)`")
	inRepo = regexp.MustCompile(`^(audio|bench|chart|cmd|docs|examples|fft|fleet|internal|kernels|learn|linalg|lint|loss|measure|mixer|nd|picture|signal|view|\.ci)/[\w./-]+$`)
	member = regexp.MustCompile(`\.[A-Z]\w*$`) // of a package, as in signal.Welch
)

// TestDocs finds links and paths in the documents that lead nowhere.
func TestDocs(t *testing.T) {
	var documents []string
	err := filepath.WalkDir(".", func(path string, d fs.DirEntry, err error) error {
		if err == nil && d.IsDir() && (path == "build" || path == ".git" || d.Name() == "testdata") {
			return filepath.SkipDir
		}
		if strings.HasSuffix(path, ".md") {
			documents = append(documents, path)
		}
		return err
	})
	if err != nil || len(documents) < 10 {
		t.Fatal(len(documents), err)
	}
	for _, name := range documents {
		text := blocks.ReplaceAllString(read(t, name), "")
		for _, m := range link.FindAllStringSubmatch(text, -1) {
			to, anchor, _ := strings.Cut(m[1], "#")
			if strings.Contains(to, "://") {
				continue
			}
			target := name
			if to != "" {
				target = filepath.Join(filepath.Dir(name), to)
			}
			if _, err := os.Stat(target); err != nil {
				t.Errorf("%s: the link to %s leads nowhere", name, m[1])
			} else if anchor != "" && !headings(read(t, target))[anchor] {
				t.Errorf("%s: %s has no heading %q", name, target, anchor)
			}
		}
		for _, m := range code.FindAllStringSubmatch(text, -1) {
			path := member.ReplaceAllString(m[1], "")
			if !inRepo.MatchString(path) {
				continue
			}
			if _, err := os.Stat(path); err != nil {
				t.Errorf("%s: there is no %s", name, path)
			}
		}
	}
}

func read(t *testing.T, name string) string {
	t.Helper()
	b, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

// headings is the anchors of a document, as code hosts make them.
func headings(text string) map[string]bool {
	found := map[string]bool{}
	for line := range strings.Lines(blocks.ReplaceAllString(text, "")) {
		title, ok := strings.CutPrefix(strings.TrimLeft(line, "#"), " ")
		if !ok || !strings.HasPrefix(line, "#") {
			continue
		}
		var b strings.Builder
		for _, r := range strings.ToLower(strings.TrimSpace(title)) {
			switch {
			case r == ' ':
				b.WriteByte('-')
			case r == '-' || r == '_' || r >= '0' && r <= '9' || r >= 'a' && r <= 'z':
				b.WriteRune(r)
			}
		}
		found[b.String()] = true
	}
	return found
}
