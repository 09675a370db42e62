package page

import (
	_ "embed"
	"encoding/base64"
	"fmt"
	"html/template"
	"io"

	"github.com/twiddle-go/twiddle/audio/analyze"
)

// Entry is a file on a page: what was found, or why it could not be read.
type Entry struct {
	Name     string
	Result   *analyze.Result
	Pictures []Picture // shown where no script runs
	Live     *Live
	Sound    template.URL // of a player; none if empty
	Err      error
}

// NewEntry is a file with all that a page draws of it.
func NewEntry(name string, r *analyze.Result) (Entry, error) {
	pictures, err := Pictures(r)
	if err != nil {
		return Entry{}, err
	}
	live, err := NewLive(r)
	return Entry{Name: name, Result: r, Pictures: pictures, Live: live}, err
}

//go:embed page.html
var pageText string

var sheet = template.Must(template.New("sheet").Funcs(template.FuncMap{
	"frequency": Frequency,
	"rate":      Rate,
	"duration":  Duration,
	"decibels":  Decibels,
	"rms":       RMSLevel,
	"table":     Table,
	"crest":     Crest,
	"db":        Tenths,
	"count":     Count,
	"heading":   heading,
	"channel":   Channel,
	"channels":  Channels,
	"relation":  Relation,
	"related":   Related,
	"several":   Several,
	"script":    script,
	"data": func(png []byte) template.URL {
		return template.URL("data:image/png;base64," + base64.StdEncoding.EncodeToString(png))
	},
}).Parse(pageText))

// WriteHTML writes a page that holds everything it shows.
func WriteHTML(w io.Writer, title string, entries []Entry) error {
	if err := sheet.Execute(w, map[string]any{"Title": title, "Entries": entries}); err != nil {
		return fmt.Errorf("page: html: %w", err)
	}
	return nil
}
