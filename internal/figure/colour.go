package figure

import (
	"image/color"
	"math"
	"slices"
)

// heat is the colours of spectrograms, from quiet to loud: nearly black
// through violet, red and orange to a light yellow. Neighbours differ by the
// same amount for the eye, as the distance in OKLab measures it, and lightness
// only rises, so nothing looks like an edge that is none, also in grey or to
// the colour-blind.
var heat = makeHeat(256)

func makeHeat(n int) []color.RGBA {
	const fine = 8192
	path := make([][3]float64, fine+1)
	length := make([]float64, fine+1)
	for i := range path {
		path[i] = heatAt(float64(i) / fine)
		if i > 0 {
			length[i] = length[i-1] + distance(path[i-1], path[i])
		}
	}
	out := make([]color.RGBA, n)
	at := 0
	for i := range out {
		for want := length[fine] * float64(i) / float64(n-1); at < fine && length[at] < want; {
			at++
		}
		r, g, b := linear(path[at])
		out[i] = color.RGBA{encoded(r), encoded(g), encoded(b), 255}
	}
	return out
}

// heatAt is a point of the path through OKLab: lightness and hue go evenly, and
// there is about as much colour as a screen can show all along the way, less at
// both ends.
func heatAt(t float64) [3]float64 {
	chroma := 0.05 + 0.09*smooth(t/0.4) - 0.05*smooth((t-0.75)/0.25)
	return lab(0.10+0.87*t, chroma, (280+185*t)*math.Pi/180)
}

// smooth goes from 0 to 1 with t, without a kink.
func smooth(t float64) float64 {
	t = min(max(t, 0), 1)
	return t * t * (3 - 2*t)
}

func lab(lightness, chroma, hue float64) [3]float64 {
	return [3]float64{lightness, chroma * math.Cos(hue), chroma * math.Sin(hue)}
}

func distance(a, b [3]float64) float64 {
	return math.Hypot(math.Hypot(a[0]-b[0], a[1]-b[1]), a[2]-b[2])
}

// linear is the light of a colour in OKLab, by the matrices of its author:
// bottosson.github.io/posts/oklab.
func linear(c [3]float64) (r, g, b float64) {
	cube := func(v float64) float64 { return v * v * v }
	l := cube(c[0] + 0.3963377774*c[1] + 0.2158037573*c[2])
	m := cube(c[0] - 0.1055613458*c[1] - 0.0638541728*c[2])
	s := cube(c[0] - 0.0894841775*c[1] - 1.2914855480*c[2])
	return 4.0767416621*l - 3.3077115913*m + 0.2309699292*s,
		-1.2684380046*l + 2.6097574011*m - 0.3413193965*s,
		-0.0041960863*l - 0.7034186147*m + 1.7076147010*s
}

// encoded is light as a byte of sRGB (IEC 61966-2-1).
func encoded(v float64) uint8 {
	if v <= 0.0031308 {
		v *= 12.92
	} else {
		v = 1.055*math.Pow(v, 1/2.4) - 0.055
	}
	return uint8(math.Round(255 * min(max(v, 0), 1)))
}

// Heat is the colours of spectrograms, from quiet to loud.
func Heat() []color.RGBA { return slices.Clone(heat) }

// HeatOf is the colour of a level between two others.
func HeatOf(level, low, high float64) color.RGBA {
	i := int((level - low) / (high - low) * float64(len(heat)-1))
	return heat[min(max(i, 0), len(heat)-1)]
}

// Lines is how many curves have colours of their own.
const Lines = 8

// Line is the colour of a curve: all are alike in lightness and far apart in hue.
func Line(i int) color.RGBA { return lines[i%Lines] }

var lines = makeLines(Lines)

func makeLines(n int) []color.RGBA {
	out := make([]color.RGBA, n)
	for i := range out {
		// The step of the golden angle keeps any few of them apart.
		hue := (255 + 137.508*float64(i)) * math.Pi / 180
		r, g, b := linear(lab(0.56, 0.13, hue))
		out[i] = color.RGBA{encoded(r), encoded(g), encoded(b), 255}
	}
	return out
}
