package main

import (
	"context"
	"encoding/base64"
	"html/template"
	"net/url"
	"os"
	"path/filepath"
	"slices"

	"github.com/twiddle-go/twiddle/audio"
	"github.com/twiddle-go/twiddle/audio/analyze"
)

// maxSound is the largest sound that is in a report itself; larger files are linked.
const maxSound = 8 << 20

// sounds are what browsers play, by format.
var sounds = map[string]string{"RIFF": "audio/wav", "FLAC": "audio/flac", "MP3": "audio/mpeg", "OGG": "audio/ogg"}

// soundOf is where a report's player finds a recording: in the report if it is small, and
// as 16 bits if browsers do not play its format, or else the file. It is empty if there is
// nothing to play, which is no failure.
func soundOf(ctx context.Context, name, report string, opt audio.Options, r *analyze.Result) template.URL {
	if r.Rate < 3000 || r.Rate > 384000 || len(r.Channels) > 8 || r.Info.Rate <= 0 || r.Info.IQ {
		return "" // browsers play no such sound
	}
	kind := sounds[r.Info.Format]
	if r.Info.Format == "RIFF" && !slices.Contains([]string{"uint8", "int16", "int24", "float32"}, r.Info.Encoding) {
		kind = ""
	}
	info, err := os.Stat(name)
	if err != nil || !info.Mode().IsRegular() {
		return ""
	}
	switch {
	case kind != "" && info.Size() <= maxSound:
		return embedded(name, kind)
	case kind != "":
		return linked(name, report)
	case r.Frames*int64(len(r.Channels))*2 > maxSound:
		return ""
	}
	folder, err := os.MkdirTemp("", "twiddle-sound")
	if err != nil {
		return ""
	}
	defer os.RemoveAll(folder)
	x, _, err := audio.Load[int16](name, opt)
	if err != nil {
		return ""
	}
	short := filepath.Join(folder, "sound.wav")
	if err := audio.Save(ctx, short, r.Rate, x); err != nil {
		return ""
	}
	return embedded(short, "audio/wav")
}

func embedded(name, kind string) template.URL {
	data, err := os.ReadFile(name)
	if err != nil {
		return ""
	}
	return template.URL("data:" + kind + ";base64," + base64.StdEncoding.EncodeToString(data))
}

// linked is a file as its report names it: by the way from there, so that both can be
// moved together.
func linked(name, report string) template.URL {
	from, err := filepath.Abs(filepath.Dir(report))
	if err != nil {
		return ""
	}
	to, err := filepath.Abs(name)
	if err != nil {
		return ""
	}
	way, err := filepath.Rel(from, to)
	if err != nil {
		return ""
	}
	return template.URL((&url.URL{Path: "./" + filepath.ToSlash(way)}).EscapedPath())
}
