package page

import (
	"fmt"
	"math"
	"reflect"
	"time"

	"github.com/twiddle-go/twiddle/audio"
	"github.com/twiddle-go/twiddle/audio/analyze"
	"github.com/twiddle-go/twiddle/internal/counted"
)

// Frequency is a frequency for people; sampled says that it is in Hz and not in
// cycles per sample.
func Frequency(f float64, sampled bool) string {
	switch {
	case !sampled:
		return fmt.Sprintf("%.5g", f)
	case math.Abs(f) >= 1e6:
		return fmt.Sprintf("%.4f MHz", f/1e6)
	case math.Abs(f) >= 10000:
		return fmt.Sprintf("%.2f kHz", f/1000)
	case math.Abs(f) >= 100:
		return fmt.Sprintf("%.1f Hz", f)
	}
	if math.Abs(f) < 0.005 {
		f = 0 // not -0.00
	}
	return fmt.Sprintf("%.2f Hz", f)
}

// Rate is a sampling frequency, exactly.
func Rate(f float64) string {
	if f >= 1e6 {
		return fmt.Sprintf("%.6g MHz", f/1e6)
	}
	return fmt.Sprintf("%.6g Hz", f)
}

// Duration is a time for people.
func Duration(seconds float64) string {
	switch {
	case seconds < 0.9995: // what three digits are less for
		return fmt.Sprintf("%.3g ms", 1000*seconds)
	case seconds < 59.95:
		return fmt.Sprintf("%.3g s", seconds)
	case seconds > math.MaxInt32:
		return fmt.Sprintf("%.3g years", seconds/(365.25*24*3600))
	}
	return time.Duration(seconds * float64(time.Second)).Round(time.Second).String()
}

// Decibels is a ratio of amplitudes in dB.
func Decibels(amplitude float64) string {
	if amplitude == 0 {
		return "-inf dB"
	}
	return Tenths(20*math.Log10(amplitude)) + " dB"
}

// RMSLevel is a root mean square in dB against a sine of amplitude 1, as all levels are.
func RMSLevel(rms float64) string { return Decibels(math.Sqrt2 * rms) }

// Table reports whether samples are numbers of a table, in units of their own: decibels
// against a sine of 1 say little of them.
func Table(i audio.Info) bool { return i.Format == "CSV" }

// Crest is the crest factor: the peak over the root mean square.
func Crest(c analyze.Channel) string {
	if c.RMS == 0 {
		return "none"
	}
	return fmt.Sprintf("%.3g", c.Peak/c.RMS)
}

// Tenths is a number with one digit behind the point, and no minus before 0.0.
func Tenths(v float64) string {
	return fmt.Sprintf("%.1f", math.Round(10*v)/10+0)
}

// Count is a whole number of things, for templates, which have numbers of several types.
func Count(n any, thing string) string { return counted.Of(reflect.ValueOf(n).Int(), thing) }
