package jobs

import "math"

// bands are ranges of frequencies: the limits of band i are edges[i] and
// edges[i+1].
type bands struct {
	centres []float64
	edges   []float64
	weights []weight
}

// weight is what the bins of a spectrum count in a band: first and last in
// part, those between them whole.
type weight struct {
	first, last int
	head, tail  float64 // hertz of the first and of the last bin
	width       float64 // of the band
}

// fit finds the bins of bands. Bin k is everything closer to k times the width
// of bins than to its neighbours, so a bin across a limit is shared by the two
// bands in proportion.
func (b *bands) fit(bins int, width float64) {
	b.weights = make([]weight, len(b.centres))
	for i := range b.weights {
		low, high := b.edges[i], b.edges[i+1]
		w := weight{width: high - low}
		w.first = min(bins-1, max(0, int(math.Floor(low/width+0.5))))
		w.last = min(bins-1, max(0, int(math.Floor(high/width+0.5))))
		if w.first == w.last {
			w.head = high - low
		} else {
			w.head = (float64(w.first)+0.5)*width - low
			w.tail = high - (float64(w.last)-0.5)*width
		}
		b.weights[i] = w
	}
}

// power is the power in each band, of a density over bins of a width.
func (b *bands) power(dst, density []float64, width float64) {
	for i, w := range b.weights {
		sum := density[w.first] * w.head
		if w.last > w.first {
			sum += density[w.last] * w.tail
			for k := w.first + 1; k < w.last; k++ {
				sum += density[k] * width
			}
		}
		dst[i] = sum
	}
}

// millidecades are the hybrid millidecade bands of Martin and others (2021),
// https://doi.org/10.1121/10.0003324, up to a frequency: as wide as bins where
// a thousandth of a decade is narrower, then a thousandth of a decade. Where
// one goes over to the other is as in PyPAM, which people exchange data with.
func millidecades(top, width float64) *bands {
	const perDecade = 1000
	half := math.Pow(10, 1.0/(2*perDecade))
	centre := func(n int) float64 { return 10 * math.Pow(10, float64(2*(n-1)+1)/(2*perDecade)) }
	n := 0
	for wide := 0.0; wide < width; {
		n++
		wide = centre(n)*half - centre(n)/half
	}
	// The linear bands end where centres of both kinds are closest.
	linear := math.RoundToEven(centre(n) / width)
	for away := math.Abs(linear*width-centre(n)) + 0.1; math.Abs(linear*width-centre(n)) < away; {
		away = math.Abs(linear*width - centre(n))
		n++
		linear++
	}
	linear--
	n--
	b := &bands{}
	if linear*width > top { // there are linear bands only
		linear = top/width + 1
	}
	for i := 0; float64(i) < linear; i++ {
		b.centres = append(b.centres, float64(i)*width)
		b.edges = append(b.edges, (float64(i)-0.5)*width)
	}
	high := (linear - 0.5) * width
	for high < top {
		c := centre(n)
		b.centres = append(b.centres, c)
		b.edges = append(b.edges, c/half)
		high = c * half
		n++
	}
	if last := len(b.centres) - 1; high > top {
		high = top
		b.centres[last] = min(b.centres[last], top)
	}
	b.edges = append(b.edges, high)
	return b
}

// decidecades are the bands of a tenth of a decade of IEC 61260-1 whose limits
// are between two frequencies.
func decidecades(low, high float64) *bands {
	b := &bands{}
	const half = 1.0 / 20
	for n := int(math.Ceil(10 * (math.Log10(low) + half))); ; n++ {
		upper := math.Pow(10, float64(n)/10+half)
		if upper > high*(1+1e-9) {
			break
		}
		b.centres = append(b.centres, math.Pow(10, float64(n)/10))
		if len(b.edges) == 0 {
			b.edges = append(b.edges, math.Pow(10, float64(n)/10-half))
		}
		b.edges = append(b.edges, upper)
	}
	return b
}
