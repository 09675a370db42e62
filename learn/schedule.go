package learn

import "math"

// Schedule gives the rate of a step, which counts from 0.
type Schedule func(step int) float64

// Constant is one rate for all steps.
func Constant(rate float64) Schedule { return func(int) float64 { return rate } }

// Decay multiplies the rate by factor after every so many steps.
func Decay(rate, factor float64, every int) Schedule {
	return func(step int) float64 { return rate * math.Pow(factor, float64(step/max(every, 1))) }
}

// Cosine goes from rate to last along half a period of a cosine, in steps
// steps, and stays there.
func Cosine(rate, last float64, steps int) Schedule {
	return func(step int) float64 {
		at := float64(min(step, steps)) / float64(max(steps, 1))
		return last + (rate-last)*(1+math.Cos(math.Pi*at))/2
	}
}

// Warmup comes to a schedule in even steps from 0, which it does not use: the
// first of its steps has the rate over steps.
func Warmup(steps int, s Schedule) Schedule {
	return func(step int) float64 {
		if step < steps {
			return s(step) * float64(step+1) / float64(steps)
		}
		return s(step)
	}
}
