package signal

import "math"

// RootRaisedCosine designs the filter that shapes symbols to pulses, and again the one that receives
// them: of two in a row each pulse is 0 at all other symbols, up to the part that is cut off. It has
// perSymbol samples for each of so many symbols, and one: send with UpFirDn{Taps: taps, Up: perSymbol}, receive with
// UpFirDn{Taps: taps, Down: perSymbol}. rolloff is 0 to 1, the part by which the band is wider than the least
// possible. The taps have an energy of 1.
func RootRaisedCosine(rolloff float64, perSymbol, symbols int) ([]float64, error) {
	switch {
	case !(rolloff >= 0 && rolloff <= 1):
		return nil, fact("signal: rootraisedcosine: rolloff %g: want 0 to 1", rolloff)
	case perSymbol < 1 || symbols < 1 || perSymbol > 1<<20/symbols:
		return nil, fact("signal: rootraisedcosine: %d samples for each of %d symbols: want 1 or more, and up to %d samples", perSymbol, symbols, 1<<20)
	}
	taps, energy := make([]float64, perSymbol*symbols+1), 0.0
	for i := range taps {
		t := math.Abs(float64(2*i-perSymbol*symbols)) / float64(2*perSymbol) // in symbols
		// The flat part of the spectrum and its two flanks: unlike their sum, no term has a pole.
		v := (1 - rolloff) * sinc((1-rolloff)*t)
		v += rolloff * (sinc(rolloff*t+0.25)*math.Cos(math.Pi*(t+0.25)) + sinc(rolloff*t-0.25)*math.Cos(math.Pi*(t-0.25)))
		taps[i] = v
		energy += v * v
	}
	for i := range taps {
		taps[i] /= math.Sqrt(energy)
	}
	return taps, nil
}
