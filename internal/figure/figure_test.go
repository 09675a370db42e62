package figure

import (
	"image/color"
	"math"
	"strings"
	"testing"
)

// seen is a colour in OKLab, from sRGB, by the inverse of what colour.go does.
func seen(c color.RGBA) [3]float64 {
	light := func(b uint8) float64 {
		v := float64(b) / 255
		if v <= 0.04045 {
			return v / 12.92
		}
		return math.Pow((v+0.055)/1.055, 2.4)
	}
	r, g, b := light(c.R), light(c.G), light(c.B)
	l := math.Cbrt(0.4122214708*r + 0.5363325363*g + 0.0514459929*b)
	m := math.Cbrt(0.2119034982*r + 0.6806995451*g + 0.1073969566*b)
	s := math.Cbrt(0.0883024619*r + 0.2817188376*g + 0.6299787005*b)
	return [3]float64{
		0.2104542553*l + 0.7936177850*m - 0.0040720468*s,
		1.9779984951*l - 2.4285922050*m + 0.4505937099*s,
		0.0259040371*l + 0.7827717662*m - 0.8086757660*s,
	}
}

// TestHeatIsUniform measures the colours as a screen gets them.
func TestHeatIsUniform(t *testing.T) {
	const step = 15 // bytes round, which shows between neighbours
	total, count := 0.0, 0
	for i := step; i < len(heat); i += step {
		total += distance(seen(heat[i-step]), seen(heat[i]))
		count++
	}
	for i := step; i < len(heat); i += step {
		a, b := seen(heat[i-step]), seen(heat[i])
		if d := distance(a, b) / (total / float64(count)); math.Abs(d-1) > 0.06 {
			t.Errorf("colours %d and %d are %.2f of the usual distance apart", i-step, i, d)
		}
		if b[0] <= a[0] {
			t.Errorf("colour %d is no lighter than %d", i, i-step)
		}
	}
	for i := range 1000 {
		if r, g, b := linear(heatAt(float64(i) / 999)); min(r, g, b) < 0 || max(r, g, b) > 1 {
			t.Fatalf("no screen shows the colour at %v: %v %v %v", float64(i)/999, r, g, b)
		}
	}
	if first, last := seen(heat[0]), seen(heat[len(heat)-1]); first[0] > 0.15 || last[0] < 0.95 {
		t.Errorf("from lightness %v to %v", first[0], last[0])
	}
}

func TestTicks(t *testing.T) {
	for _, c := range []struct {
		low, high, unit float64
		about           int
		want            string
	}{
		{0, 22050, 1000, 12, "0 2 4 6 8 10 12 14 16 18 20 22"},
		{0, 0.5, 1, 5, "0.0 0.1 0.2 0.3 0.4 0.5"},
		{-83, 3, 1, 6, "-80 -60 -40 -20 0"},
		{0, 1e-3, 1e-3, 4, "0.0 0.5 1.0"},
		{-1.05, 1.05, 1, 4, "-1 0 1"},
	} {
		var got []string
		for _, tick := range (Ticks{c.about, c.unit}).Ticks(c.low, c.high) {
			got = append(got, tick.Label)
		}
		if s := strings.Join(got, " "); s != c.want {
			t.Errorf("%v to %v: %s, want %s", c.low, c.high, s, c.want)
		}
	}
}

// TestMarks: round frequencies of 1, 2 and 5 in rows that are octaves, and more of them in rows that
// are even.
func TestMarks(t *testing.T) {
	even := make([]float64, 40)
	for i := range even {
		even[i] = 12 * float64(i+1)
	}
	for want, rows := range map[string][]float64{"1 0.5 0.2 0.1 0.05": {40, 80, 160, 320, 640, 1280}, "0.4 0.3 0.2 0.1 0.05 0.02": even} {
		var got []string
		for _, m := range (Map{Rows: rows}).Marks(1000, 0.05) {
			got = append(got, m.Label)
		}
		if strings.Join(got, " ") != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}
