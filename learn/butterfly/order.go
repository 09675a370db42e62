package butterfly

import (
	"context"
	"errors"
)

// Candidate is a form that LearnForm tried.
type Candidate struct {
	Name  string  `json:"name"`
	Error float64 `json:"error"` // relative, of the first level that did not come near; 0 if all did
	form  func(n int) Form
}

// fits is the relative error from which on more training is all that is missing.
const fits = 1e-5

// candidates are the forms to try, those with the least work first: single
// before double, real before complex ones.
func candidates() []Candidate {
	var list []Candidate
	add := func(name string, form func(int) Form) {
		list = append(list, Candidate{Name: "real " + name, form: func(n int) Form { f := form(n); f.Real = true; return f }},
			Candidate{Name: name, form: form})
	}
	ordered := func(form func(int) Form, from, to func(int) []int) func(int) Form {
		return func(n int) Form {
			f := form(n)
			if from != nil {
				f.From = from(n)
			}
			if to != nil {
				f.To = to(n)
			}
			return f
		}
	}
	add("single", ordered(Single, nil, nil))
	add("single from bit reversal", ordered(Single, BitReversal, nil))
	add("double", ordered(Double, nil, nil))
	add("double to bit reversal", ordered(Double, nil, BitReversal))
	add("double from mirrored to bit reversal", ordered(Double, Mirrored, BitReversal))
	return list
}

// LearnForm finds a form for a transform without knowing one: it trains every
// candidate from random numbers for a short length, and takes the first that
// gets there, or else the best. The candidates it tried come with it.
func LearnForm(ctx context.Context, t Transform, n int, seed uint64) (Form, []Candidate, error) {
	if err := checkLen(n); err != nil {
		return Form{}, nil, err
	}
	// At 32 a form that does not fit shows; below that some have numbers to spare.
	short := min(n, 32)
	m, err := t.Dense(short, seed)
	if err != nil {
		return Form{}, nil, err
	}
	var tried []Candidate
	best := -1
	for _, c := range candidates() {
		if c.form(short).Real && !m.isReal() {
			continue
		}
		var failed *FailedError
		_, err := Grow{Seed: seed, Steps: 300, Tries: 2}.Train(ctx, m, c.form(short))
		switch {
		case errors.As(err, &failed):
			c.Error = failed.Worst
		case err != nil:
			return Form{}, nil, err
		}
		tried = append(tried, c)
		if best < 0 || c.Error < tried[best].Error {
			best = len(tried) - 1
		}
		if c.Error < fits {
			break
		}
	}
	return tried[best].form(n), tried, nil
}
