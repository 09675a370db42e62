package analyze

import "math"

// moments are sums of powers of samples less their mean. Those of parts are put together
// (Pébay, 2008), so that an offset takes no digits of them.
type moments struct{ n, mean, second, third, fourth float64 }

// momentsOf is those of samples with the given sum.
func momentsOf[T float32 | float64](x []T, sum float64) moments {
	if len(x) == 0 {
		return moments{}
	}
	m := moments{n: float64(len(x)), mean: sum / float64(len(x))}
	for _, v := range x {
		d := float64(v) - m.mean
		square := d * d
		m.second += square
		m.third += square * d
		m.fourth += square * square
	}
	return m
}

// add puts those of more samples to them.
func (m *moments) add(o moments) {
	if m.n == 0 || o.n == 0 {
		if m.n == 0 {
			*m = o
		}
		return
	}
	n, d := m.n+o.n, o.mean-m.mean
	by := d / n
	fourth := m.fourth + o.fourth + d*by*by*by*m.n*o.n*(m.n*m.n-m.n*o.n+o.n*o.n) +
		6*by*by*(m.n*m.n*o.second+o.n*o.n*m.second) + 4*by*(m.n*o.third-o.n*m.third)
	third := m.third + o.third + d*by*by*m.n*o.n*(m.n-o.n) + 3*by*(m.n*o.second-o.n*m.second)
	*m = moments{n, m.mean + by*o.n, m.second + o.second + d*by*m.n*o.n, third, fourth}
}

// skewness and kurtosis are 0 of samples that are all the same, or too large.
func (m moments) skewness() float64 {
	return finite(m.third / m.n / math.Pow(m.second/m.n, 1.5))
}

func (m moments) kurtosis() float64 {
	return finite(m.fourth * m.n / (m.second * m.second))
}

func finite(v float64) float64 {
	if math.IsNaN(v) || math.IsInf(v, 0) {
		return 0
	}
	return v
}
