package analyze

import (
	"cmp"
	"math"
	"slices"
)

// Role is what a peak is to another.
type Role string

const (
	Alone       Role = ""            // to none
	Fundamental Role = "fundamental" // others are at multiples of its frequency
	Harmonic    Role = "harmonic"    // at Order times Of
	Sideband    Role = "sideband"    // at Of plus Order times Spacing
)

const (
	// nearBins is how far, in bins, a peak may be from where a family wants it: the
	// place of a peak is known to about a tenth of a bin, and real machines are not
	// exact.
	nearBins = 0.4
	// mostHarmonics bounds the order of a harmonic: the error of a fundamental's
	// frequency is multiplied by it.
	mostHarmonics = 20
	// leastSpacing is how many bins harmonics or sidebands are apart, at least. Closer
	// ones are found everywhere by chance.
	leastSpacing = 5
	// mostAbove is how much louder than its fundamental a harmonic may be, in dB. Weak
	// fundamentals of strong harmonics are real, as of voices on a telephone; beyond this
	// a loud tone was said to be a harmonic of what a lossy format leaves behind.
	mostAbove = 40
)

// families says which peaks are harmonics of another, and which are sidebands. A
// bin is in the unit of Frequency.
func families(peaks []Peak, bin float64) {
	for harmonics(peaks, bin) {
	}
	byLevel := make([]int, len(peaks))
	for i := range byLevel {
		byLevel[i] = i
	}
	slices.SortStableFunc(byLevel, func(a, b int) int { return cmp.Compare(peaks[b].Level, peaks[a].Level) })
	for _, carrier := range byLevel {
		for sidebands(peaks, carrier, bin) {
		}
	}
}

// harmonics finds the peak of whose frequency most others are multiples, among those
// without a role, and gives them theirs. It reports whether there is one.
func harmonics(peaks []Peak, bin float64) bool {
	best, members := -1, []int(nil)
	for i, p := range peaks {
		if p.Role != Alone || p.Frequency < leastSpacing*bin {
			continue
		}
		list := multiples(peaks, i, bin)
		// Two tones of a small ratio are a family; a single one far up is by chance.
		if len(list) == 0 || len(list) == 1 && order(peaks[list[0]].Frequency, p.Frequency) > 3 {
			continue
		}
		// Of equally large ones the lower: 50, 100, 150, 200 and not 100, 200.
		if len(list) > len(members) || len(list) == len(members) && p.Frequency < peaks[best].Frequency {
			best, members = i, list
		}
	}
	if best < 0 {
		return false
	}
	root := &peaks[best]
	root.Role = Fundamental
	for _, i := range members {
		peaks[i].Role, peaks[i].Of, peaks[i].Order = Harmonic, root.Frequency, order(peaks[i].Frequency, root.Frequency)
	}
	return true
}

// multiples are the peaks without a role at multiples of the frequency of one.
func multiples(peaks []Peak, of int, bin float64) []int {
	var list []int
	f := peaks[of].Frequency
	for i, p := range peaks {
		n := order(p.Frequency, f)
		if i == of || p.Role != Alone || n < 2 || n > mostHarmonics || p.Level > peaks[of].Level+mostAbove {
			continue
		}
		if math.Abs(p.Frequency-float64(n)*f) <= nearBins*bin*(1+float64(n)/10) {
			list = append(list, i)
		}
	}
	return list
}

func order(f, of float64) int { return int(math.Round(f / of)) }

// sidebands finds a pair of peaks without a role at the same distance from a carrier
// that is louder, and those at multiples of that distance.
func sidebands(peaks []Peak, carrier int, bin float64) bool {
	c := peaks[carrier]
	if c.Role == Sideband {
		return false
	}
	at := func(f float64) int {
		return slices.IndexFunc(peaks, func(p Peak) bool {
			return p.Role == Alone && p.Level < c.Level && math.Abs(p.Frequency-f) <= nearBins*bin
		})
	}
	// The nearest pair first: others may be at its multiples.
	spacing := math.Inf(1)
	for _, p := range peaks {
		d := p.Frequency - c.Frequency
		if p.Role == Alone && d >= leastSpacing*bin && d < spacing && d < c.Frequency && p.Level < c.Level && at(c.Frequency-d) >= 0 {
			spacing = d
		}
	}
	if math.IsInf(spacing, 1) {
		return false
	}
	for k := 1; k <= mostHarmonics; k++ {
		upper, lower := at(c.Frequency+float64(k)*spacing), at(c.Frequency-float64(k)*spacing)
		if upper < 0 || lower < 0 {
			break
		}
		for _, side := range [2]struct{ at, order int }{{upper, k}, {lower, -k}} {
			p := &peaks[side.at]
			p.Role, p.Of, p.Order, p.Spacing = Sideband, c.Frequency, side.order, spacing
		}
	}
	return true
}
