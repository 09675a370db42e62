package page

import (
	"bytes"
	_ "embed"
	"encoding/base64"
	"encoding/binary"
	"fmt"
	"html/template"
	"image"
	"image/color"
	"image/png"
	"math"

	"github.com/twiddle-go/twiddle/audio/analyze"
	"github.com/twiddle-go/twiddle/internal/figure"
)

// Live is what the page draws by itself, so that pictures have the size and the text of
// the screen they are on, and can be asked: numbers as bytes, levels as a picture in
// grey.
type Live struct {
	Rate    float64 `json:"rate"`
	Seconds float64 `json:"seconds"` // or samples
	Sampled bool    `json:"sampled"`
	// Wave is pairs of the least and the greatest sample as float32.
	Wave        string  `json:"wave"`
	WaveSeconds float64 `json:"waveSeconds"` // that the pairs cover
	// Levels is a PNG of the spectrogram: grey from Low to High dB, high rows first.
	Levels       string   `json:"levels"`
	Low          float64  `json:"low"`
	High         float64  `json:"high"`
	LevelSeconds float64  `json:"levelSeconds"`
	Bottom       float64  `json:"bottom"`
	Top          float64  `json:"top"`
	Heat         []string `json:"heat"`
	// Curves is the density of channels: frequencies and dB in turns, as float32.
	Curves  []string   `json:"curves"`
	Names   []string   `json:"names"` // of their channels
	Colours []string   `json:"colours"`
	Peaks   []livePeak `json:"peaks"`
	Unit    string     `json:"unit"` // of densities
}

type livePeak struct {
	Frequency float64 `json:"f"`
	Label     string  `json:"label"`
	Curves    []int   `json:"curves"` // that have it
}

//go:embed page.js
var pageScript string

// NewLive is a result as the page draws it.
func NewLive(r *analyze.Result) (*Live, error) {
	s := r.Spectrogram
	l := &Live{Rate: r.Rate, Seconds: r.Seconds(), Sampled: r.HasRate(), Bottom: s.Bottom, Top: s.Top, LevelSeconds: s.Span * float64(len(s.Columns)),
		WaveSeconds: float64(len(r.Waveform.Low)) * float64(r.Waveform.Span) / r.Rate, Unit: "dB/Hz", Peaks: []livePeak{}} // a list for the script, also without any
	if !l.Sampled {
		l.Unit = "dB"
	}
	wave := make([]float64, 0, 2*len(r.Waveform.Low))
	for i, low := range r.Waveform.Low {
		wave = append(wave, low, r.Waveform.High[i])
	}
	l.Wave = packed(wave)
	l.Low, l.High = figure.Levels(s.Columns)
	var err error
	if l.Levels, err = greyLevels(s.Columns, l.Low, l.High); err != nil {
		return nil, fmt.Errorf("page: %w", err)
	}
	for _, c := range figure.Heat() {
		l.Heat = append(l.Heat, hex(c))
	}
	for i := range min(len(r.Density), figure.Lines) {
		var points []float64
		for _, at := range envelope(r.Frequencies, r.Density[i]) {
			points = append(points, at.X, at.Y)
		}
		l.Curves, l.Colours = append(l.Curves, packed(points)), append(l.Colours, hex(figure.Line(i)))
		l.Names = append(l.Names, curveName(i, r))
	}
	for _, p := range r.Peaks {
		peak := livePeak{p.Frequency, Frequency(p.Frequency, l.Sampled), []int{}}
		for _, i := range curvesOf(p, r) {
			if i < len(l.Curves) {
				peak.Curves = append(peak.Curves, i)
			}
		}
		l.Peaks = append(l.Peaks, peak)
	}
	return l, nil
}

func hex(c color.RGBA) string { return fmt.Sprintf("#%02x%02x%02x", c.R, c.G, c.B) }

// packed is numbers as little-endian float32, in base64.
func packed(v []float64) string {
	b := make([]byte, 0, 4*len(v))
	for _, x := range v {
		b = binary.LittleEndian.AppendUint32(b, math.Float32bits(float32(x)))
	}
	return base64.StdEncoding.EncodeToString(b)
}

// greyLevels is a PNG as a URL.
func greyLevels(columns [][]float32, low, high float64) (string, error) {
	rows := len(columns[0])
	img := image.NewGray(image.Rect(0, 0, len(columns), rows))
	for x, column := range columns {
		for y, v := range column {
			level := (float64(v) - low) / (high - low) * 255
			img.SetGray(x, rows-1-y, color.Gray{Y: uint8(math.Round(min(max(level, 0), 255)))})
		}
	}
	var b bytes.Buffer
	if err := png.Encode(&b, img); err != nil {
		return "", err
	}
	return "data:image/png;base64," + base64.StdEncoding.EncodeToString(b.Bytes()), nil
}

// script is the page's own.
func script() template.JS { return template.JS(pageScript) }
