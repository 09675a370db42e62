package plan

import "slices"

// set is some of the numbers below a bound, a bit for each; nil is none. Sets do
// not change, so that equal ones can be one.
type set []uint64

// within reports that t has all of s.
func (s set) within(t set) bool {
	switch {
	case s == nil || sameSet(s, t):
		return true
	case t == nil:
		return false
	}
	for i, bits := range s {
		if bits&^t[i] != 0 {
			return false
		}
	}
	return true
}

func union(s, t set) set {
	switch {
	case t.within(s):
		return s
	case s.within(t):
		return t
	}
	u := slices.Clone(s)
	for i, bits := range t {
		u[i] |= bits
	}
	return u
}

func intersection(s, t set) set {
	switch {
	case s.within(t):
		return s
	case t.within(s):
		return t
	}
	u := slices.Clone(s)
	for i, bits := range t {
		u[i] &= bits
	}
	if !slices.ContainsFunc(u, func(bits uint64) bool { return bits != 0 }) {
		return nil
	}
	return u
}

// sameSet reports that two are one.
func sameSet(s, t set) bool { return len(s) > 0 && len(t) > 0 && &s[0] == &t[0] }
