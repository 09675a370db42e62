package chart_test

import (
	"bytes"
	"encoding/xml"
	"errors"
	"io"
	"os"
	"path/filepath"
	"testing"

	"github.com/twiddle-go/twiddle/chart"
	"github.com/twiddle-go/twiddle/nd"
)

// Titles and names are text in an SVG file, whatever they are.
func TestTextInSVGIsEscaped(t *testing.T) {
	const evil = "</text><script>alert(1)</script>&\"'\x1b[31m\x07"
	name := filepath.Join(t.TempDir(), "a.svg")
	c := chart.Curves{Title: evil, X: evil, Y: evil, Names: []string{evil}}
	if err := c.Save(t.Context(), name, nil, nd.From([]float64{1, 2, 3}).Reshape(1, 3)); err != nil {
		t.Fatal(err)
	}
	data, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	if bytes.ContainsRune(data, 0x1b) {
		t.Error("the file has control characters")
	}
	words := false
	for d := xml.NewDecoder(bytes.NewReader(data)); ; {
		token, err := d.Token()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			t.Fatalf("no XML: %v", err)
		}
		switch token := token.(type) {
		case xml.StartElement:
			if token.Name.Local == "script" {
				t.Error("a title became a script")
			}
		case xml.CharData:
			words = words || bytes.Contains(token, []byte("alert(1)"))
		}
	}
	if !words {
		t.Error("the titles are not in the file: the test looks for the wrong thing")
	}
}
