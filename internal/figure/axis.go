package figure

import "gonum.org/v1/plot"

// timeAxis labels seconds in the unit that suits their number.
func timeAxis(a *plot.Axis, seconds float64, sampled bool) {
	unit, name := 1.0, "time in s"
	switch {
	case !sampled:
		name = "time in samples"
	case seconds < 1:
		unit, name = 1e-3, "time in ms"
	case seconds >= 2*3600:
		unit, name = 3600, "time in hours"
	case seconds >= 5*60:
		unit, name = 60, "time in minutes"
	}
	a.Label.Text = name
	a.Tick.Marker = Ticks{About: 10, Unit: unit}
	a.Min, a.Max = 0, seconds
}

// FrequencyAxis labels frequencies up to the highest.
func FrequencyAxis(a *plot.Axis, highest float64, about int, sampled bool) {
	unit, name := 1.0, "frequency in Hz"
	switch {
	case !sampled:
		name = "frequency in cycles per sample"
	case highest >= 4000:
		unit, name = 1000, "frequency in kHz"
	}
	a.Label.Text = name
	a.Tick.Marker = Ticks{About: about, Unit: unit}
	a.Min, a.Max = 0, highest
}
