package main

import (
	"fmt"
	"math"
	"slices"

	"github.com/twiddle-go/twiddle/audio/analyze"
	"github.com/twiddle-go/twiddle/cmd/twiddle/internal/page"
	"github.com/twiddle-go/twiddle/measure"
)

const (
	// slipped is how far the rate of a damage may be from that of a bearing without slip.
	slipped = 0.02
	// mostMultiple bounds the multiples of a rate, as analyze bounds harmonics.
	mostMultiple = 20
	// leastBins is how many bins from 0 Hz a rate has lines of its own.
	leastBins = 4
	// mostChance is how many families of a rate may be named by chance. With five rates, one to
	// five channels in a hundred have such a family if their lines have nothing to do with the
	// bearing (TestNameFaultsByChance).
	mostChance = 0.005
)

// faultRate is a rate of a bearing.
type faultRate struct {
	name  string
	hz    float64
	first int // a line at this multiple, or a lower one, is named for itself
	other int // multiples of this one are those of another rate; 0 is none
}

func faultRates(f measure.Faults) []faultRate {
	// A damage of a ball strikes the rings twice in a turn of the ball. BPFO is FTF times the
	// number of balls.
	balls := int(math.Round(f.Outer / f.Cage))
	return []faultRate{{"BPFO", f.Outer, 1, 0}, {"BPFI", f.Inner, 1, 0}, {"BSF", f.Spin, 2, 0}, {"FTF", f.Cage, 1, balls}, {"shaft", f.Shaft, 1, 0}}
}

// nameFaults says of each line of a spectrum which rate of a bearing it is at, or which multiple of
// one. Within the slip of a bearing every line above a few hundred Hz is at a multiple of
// something. So a line at a rate itself is named, but multiples only as a family: all of them
// at multiples of one frequency, as exactly as lines are found, and so many that chance would
// hardly do it. Families are named in the order of what chance would do, and have no line in
// common.
func nameFaults(f measure.Faults, peaks []analyze.Peak, bin float64) []string {
	names := make([]string, len(peaks))
	l := faultLines{peaks: peaks, bin: bin, taken: make([]bool, len(peaks))}
	for _, p := range peaks {
		l.top = max(l.top, p.Frequency)
	}
	rates := slices.DeleteFunc(faultRates(f), func(r faultRate) bool { return r.hz < leastBins*bin })
	for {
		best := faultFamily{chance: mostChance}
		for _, r := range rates {
			if g := l.family(r); len(g.members) > 1 && g.chance < best.chance {
				best = g
			}
		}
		if len(best.members) == 0 {
			break
		}
		for k, i := range best.members {
			names[i], l.taken[i] = best.rate.multiple(k), true
		}
		rates = slices.DeleteFunc(rates, func(r faultRate) bool { return r.name == best.rate.name })
	}
	for i, p := range peaks {
		distance := math.Inf(1)
		for _, r := range rates {
			for k := 1; k <= r.first && !l.taken[i]; k++ {
				away := math.Abs(p.Frequency - float64(k)*r.hz)
				if away <= l.slip(r, k) && away/r.hz < distance && !l.harmonic(i, p.Frequency/float64(k)) {
					names[i], distance = r.multiple(k), away/r.hz
				}
			}
		}
	}
	return names
}

func (r faultRate) multiple(k int) string {
	if k == 1 {
		return r.name
	}
	return fmt.Sprintf("%d x %s", k, r.name)
}

// has reports whether a line at a multiple may be of this rate.
func (r faultRate) has(k int) bool {
	return k >= 1 && k <= mostMultiple && (r.other < 2 || k%r.other != 0)
}

// faultLines is lines that may be those of a bearing.
type faultLines struct {
	peaks []analyze.Peak
	taken []bool // by a family
	bin   float64
	top   float64 // the highest line
}

// faultFamily is lines at multiples of one frequency that is about a rate.
type faultFamily struct {
	rate    faultRate
	members map[int]int // lines by multiples
	chance  float64     // how many such families lines without a cause have
}

// slip is how far a line may be from a multiple of a rate if nothing else is known.
func (l *faultLines) slip(r faultRate, k int) float64 {
	return max(slipped*float64(k)*r.hz, l.bin)
}

// near is how far a line may be from a multiple of a frequency at which a line is: analyze's
// limit of harmonics.
func (l *faultLines) near(k int) float64 { return 0.4 * l.bin * (1 + float64(k)/10) }

// family is the largest family of lines that are not taken.
func (l *faultLines) family(r faultRate) faultFamily {
	best := faultFamily{rate: r}
	for i, p := range l.peaks { // the highest first
		for k := 1; k <= mostMultiple && !l.taken[i]; k++ {
			hz := p.Frequency / float64(k)
			if !r.has(k) || math.Abs(p.Frequency-float64(k)*r.hz) > l.slip(r, k) || l.harmonic(i, hz) {
				continue
			}
			members := map[int]int{k: i}
			for j, q := range l.peaks {
				n := int(math.Round(q.Frequency / hz))
				if _, is := members[n]; !is && !l.taken[j] && r.has(n) && math.Abs(q.Frequency-float64(n)*hz) <= l.near(n) {
					members[n] = j
				}
			}
			if len(members) > len(best.members) || len(members) == len(best.members) && lowest(members) < lowest(best.members) {
				best.members = members
			}
		}
	}
	if len(best.members) > 0 {
		best.chance = l.chance(r, best.members)
	}
	return best
}

func lowest(members map[int]int) int {
	least := math.MaxInt
	for k := range members {
		least = min(least, k)
	}
	return least
}

// harmonic reports whether a line is a harmonic of something slower than hz that has other
// harmonics as well: 3 x 35.7 Hz is not BPFO at 107 if there are lines at 35.7, 71.4 and 143 Hz.
func (l *faultLines) harmonic(i int, hz float64) bool {
	p := l.peaks[i]
	if p.Role != analyze.Harmonic || p.Of > hz-l.bin {
		return false
	}
	others := 0
	for _, q := range l.peaks {
		away := math.Abs(math.Remainder(q.Frequency, hz))
		if (q.Frequency == p.Of || q.Role == analyze.Harmonic && q.Of == p.Of) && away > l.near(int(q.Frequency/hz)) {
			others++
		}
	}
	return others > 1
}

// chance is how many families of a rate, as large and beginning as low, lines at places without a
// cause have. Some line is within the slip of a multiple, and others are at multiples of its
// frequency. Harmonics of one cause are one line: those of 3 x FTF are no family of FTF.
func (l *faultLines) chance(r faultRate, members map[int]int) float64 {
	others := len(members) - 1
	for q, i := range members {
		if q <= r.first || l.peaks[i].Role != analyze.Fundamental {
			continue
		}
		rest := 0
		for k := range members {
			if k%q != 0 {
				rest++
			}
		}
		others = min(others, rest)
	}
	density := float64(len(l.peaks)) / l.top
	count := min(mostMultiple, int(l.top/r.hz*(1+slipped)))
	sum := 0.0
	for k := 1; k <= lowest(members); k++ {
		// How many others there are is about Poisson's: a sum of small probabilities.
		mean := 0.0
		for n := k + 1; n <= count; n++ {
			mean += 2 * density * l.near(n)
		}
		sum += 2 * density * l.slip(r, k) * poissonTail(others, mean)
	}
	return sum
}

// poissonTail is the probability that a Poisson variable of a mean is n or more.
func poissonTail(n int, mean float64) float64 {
	below, term := 0.0, math.Exp(-mean)
	for k := range n {
		below += term
		term *= mean / float64(k+1)
	}
	return max(0, 1-below)
}

// unmatched says why no line may be at a rate of a bearing, if none is: a speed in Hz gives rates
// that are 60 times too low.
func unmatched(f measure.Faults, channels []lineChannel, bin float64) string {
	lines := 0
	faster := f
	for _, hz := range []*float64{&faster.Shaft, &faster.Cage, &faster.Spin, &faster.Outer, &faster.Inner} {
		*hz *= 60
	}
	would := 0
	for _, ch := range channels {
		peaks := make([]analyze.Peak, len(ch.Peaks))
		for i, p := range ch.Peaks {
			if peaks[i] = p.Peak; p.Matches != "" {
				return ""
			}
		}
		lines += len(peaks)
		for _, name := range nameFaults(faster, peaks, bin) {
			if name != "" {
				would++
			}
		}
	}
	text := "no line is at a rate of the bearing"
	if lowest := leastBins * bin; max(f.Inner, f.Shaft) < lowest {
		text += fmt.Sprintf(": its rates are below %s, where lines cannot be told apart", page.Frequency(lowest, true))
	}
	switch {
	case lines == 0:
		return ""
	case would > 0:
		text += fmt.Sprintf("; at 60 times the speed %d would be: --rpm is in turns per minute, not in Hz", would)
	}
	return text
}
