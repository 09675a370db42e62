package signal

import (
	"fmt"
	"math"
	"math/cmplx"

	"github.com/twiddle-go/twiddle/internal/choice"
	"github.com/twiddle-go/twiddle/nd"
)

// Family is a kind of filter with an infinite impulse response.
type Family uint8

const (
	Butterworth Family = iota // flat in the pass band
	Chebyshev1                // ripples in the pass band
	Chebyshev2                // ripples in the stop band
	Elliptic                  // ripples in both: the steepest
	Bessel                    // the flattest delay in the pass band
)

var familyNames = [...]string{"butterworth", "chebyshev1", "chebyshev2", "elliptic", "bessel"}

func (f Family) String() string { return choice.Name(f, "Family", familyNames[:]) }

// ParseFamily is the family of a name.
func ParseFamily(name string) (Family, error) {
	return choice.Parse[Family]("signal", "filter family", name, familyNames[:])
}

// IIR designs filters with an infinite impulse response from their analog prototypes, as
// scipy.signal.iirfilter; digital filters use the bilinear transform.
type IIR struct {
	Family      Family
	Order       int // of the prototype; bands have twice as many poles
	Band        Band
	Cutoff      [2]float64 // frequencies; the second for Bandpass and Bandstop only
	FS          float64    // sampling frequency; 0 is 2, so that cutoffs are parts of the highest frequency
	Ripple      float64    // of the pass band in dB, for Chebyshev1 and Elliptic
	Attenuation float64    // of the stop band in dB, for Chebyshev2 and Elliptic
	Norm        BesselNorm // what Cutoff is of a Bessel filter
	// Analog designs a filter of continuous time, for TF and ZPK: cutoffs are
	// angular frequencies, and FS is not used.
	Analog bool
}

// maxOrder is far beyond what float64 coefficients can express.
const maxOrder = 500

// SOS is the filter as second-order sections.
func (f IIR) SOS() (SOS, error) {
	a, err := f.ZPK()
	if err != nil {
		return nil, err
	}
	if f.Analog {
		return nil, fmt.Errorf("signal: iir: %w", fact("Analog: second-order sections are of digital filters here: take ZPK or TF"))
	}
	return a.sections(), nil
}

// Apply designs the filter and runs x through it, as SOS.Apply. To filter often, keep
// the SOS.
func (f IIR) Apply(x *nd.Array, axis ...nd.AxisChoice) *nd.Array {
	s, err := f.SOS()
	return designed("iir", s.Apply, err, x, axis)
}

// TF is the filter as polynomials. From an order of about 8 on, or with poles near
// the unit circle, their coefficients do not have the digits to say where poles
// are: take SOS.
func (f IIR) TF() (TF, error) {
	a, err := f.ZPK()
	if err != nil {
		return TF{}, err
	}
	return a.TF(), nil
}

// ZPK is the filter as zeros, poles and gain.
func (f IIR) ZPK() (ZPK, error) {
	a, err := f.zpk()
	if err != nil {
		return ZPK{}, fmt.Errorf("signal: iir: %w", err)
	}
	return a, nil
}

func (f IIR) zpk() (ZPK, error) {
	edges, err := f.Band.edges(f.Cutoff)
	if err != nil {
		return ZPK{}, err
	}
	var w []float64
	if f.Analog {
		w, err = analogCutoffs(f.Band, f.FS, edges)
	} else {
		w, err = cutoffs(f.Band, f.FS, edges)
	}
	if err != nil {
		return ZPK{}, err
	}
	a, err := f.prototype()
	if err != nil {
		return ZPK{}, err
	}
	if !f.Analog {
		// Frequencies are bent so that the bilinear transform puts them where
		// they belong.
		for i, v := range w {
			w[i] = 4 * math.Tan(math.Pi*v/2)
		}
	}
	switch f.Band {
	case Lowpass:
		a = a.lowpass(w[0])
	case Highpass:
		a = a.highpass(w[0])
	case Bandpass:
		a = a.bandpass(math.Sqrt(w[0]*w[1]), w[1]-w[0])
	case Bandstop:
		a = a.bandstop(math.Sqrt(w[0]*w[1]), w[1]-w[0])
	}
	if f.Analog {
		return a, nil
	}
	return a.bilinear(2), nil
}

// prototype is the analog low-pass filter with its cutoff at 1.
func (f IIR) prototype() (ZPK, error) {
	needRipple := f.Family == Chebyshev1 || f.Family == Elliptic
	needAttenuation := f.Family == Chebyshev2 || f.Family == Elliptic
	switch {
	case f.Order < 1 || f.Order > maxOrder:
		return ZPK{}, fact("Order %d: want 1 to %d", f.Order, maxOrder)
	case f.Family == Bessel && f.Order > maxBessel:
		return ZPK{}, fact("Order %d: bessel wants 1 to %d", f.Order, maxBessel)
	case needRipple && !(f.Ripple > 0) || math.IsInf(f.Ripple, 0):
		return ZPK{}, fact("Ripple %g: %s wants a positive number of dB", f.Ripple, f.Family)
	case needAttenuation && !(f.Attenuation > 0) || math.IsInf(f.Attenuation, 0):
		return ZPK{}, fact("Attenuation %g: %s wants a positive number of dB", f.Attenuation, f.Family)
	case f.Family == Elliptic && f.Ripple >= f.Attenuation:
		return ZPK{}, fact("Ripple %g and Attenuation %g: want less ripple", f.Ripple, f.Attenuation)
	}
	switch f.Family {
	case Butterworth:
		return butterworth(f.Order), nil
	case Chebyshev1:
		return chebyshev1(f.Order, f.Ripple), nil
	case Chebyshev2:
		return chebyshev2(f.Order, f.Attenuation), nil
	case Elliptic:
		return elliptic(f.Order, f.Ripple, f.Attenuation), nil
	case Bessel:
		return bessel(f.Order, f.Norm)
	}
	return ZPK{}, fmt.Errorf("unknown filter family %d: want one of %v", f.Family, familyNames)
}

// onCircle is the 2n-th roots of 1 or -1 in the left half plane, from the
// lower end to the upper.
func onCircle(n int) []complex128 {
	p := make([]complex128, n)
	for i := range p {
		p[i] = -cmplx.Exp(complex(0, math.Pi*float64(2*i+1-n)/float64(2*n)))
		if 2*i+1 == n {
			p[i] = -1
		}
	}
	return p
}

func butterworth(n int) ZPK { return ZPK{P: onCircle(n), K: 1} }

// over1 is 10^(dB/10) - 1.
func over1(db float64) float64 { return math.Expm1(db / 10 * math.Ln10) }

func chebyshev1(n int, ripple float64) ZPK {
	eps := math.Sqrt(over1(ripple))
	sinh, cosh := sinhCosh(math.Asinh(1/eps) / float64(n))
	a := ZPK{P: onCircle(n)}
	for i, p := range a.P {
		a.P[i] = complex(sinh*real(p), cosh*imag(p))
	}
	a.K = real(product(a.P))
	if n%2 == 0 {
		a.K /= math.Sqrt(1 + eps*eps)
	}
	return a
}

func chebyshev2(n int, attenuation float64) ZPK {
	sinh, cosh := sinhCosh(math.Asinh(math.Sqrt(over1(attenuation))) / float64(n))
	a := ZPK{P: onCircle(n)}
	for i, p := range a.P {
		a.P[i] = 1 / complex(sinh*real(p), cosh*imag(p))
	}
	for i := range n {
		if m := 2*i + 1 - n; m != 0 {
			a.Z = append(a.Z, complex(0, 1/math.Sin(math.Pi*float64(m)/float64(2*n))))
		}
	}
	a.K = real(product(a.P) / product(a.Z))
	return a
}

func sinhCosh(x float64) (float64, float64) { return math.Sinh(x), math.Cosh(x) }

// elliptic follows Lutovac, Tošić and Evans, "Filter Design for Signal
// Processing", chapters 5 and 12.
func elliptic(n int, ripple, attenuation float64) ZPK {
	eps2 := over1(ripple)
	if n == 1 {
		p := -math.Sqrt(1 / eps2)
		return ZPK{P: []complex128{complex(p, 0)}, K: -p}
	}
	m1 := eps2 / over1(attenuation)
	m := degree(n, m1)
	quarter := completeK(1 - m)
	v := quarter * incompleteF(1/math.Sqrt(eps2), m1) / (float64(n) * completeK(1-m1))
	sv, cv, dv := jacobi(v, m)
	var a ZPK
	for j := 1 - n%2; j < n; j += 2 {
		s, c, d := jacobi(float64(j)*quarter/float64(n), 1-m)
		p := -complex(c*d*sv*cv, s*dv) / complex(1-d*sv*d*sv, 0)
		if j == 0 {
			a.P = append(a.P, complex(real(p), 0))
			continue
		}
		z := complex(0, 1/(math.Sqrt(m)*s))
		a.Z = append(a.Z, z, cmplx.Conj(z))
		a.P = append(a.P, p, cmplx.Conj(p))
	}
	a.K = real(product(a.P) / product(a.Z))
	if n%2 == 0 {
		a.K /= math.Sqrt(1 + eps2)
	}
	return a
}
