package lines

import "fmt"

// place is an element of a line as a thread knows it: a variable and what is
// added to it, with the least and greatest value it can have. ok is the
// condition under which the thread has an element at all, "" if it always has;
// without one it has some other valid place, so that loads need no condition.
type place struct {
	base   string
	add    int
	lo, hi int
	ok     string
}

func (p place) String() string {
	switch {
	case p.base == "":
		return fmt.Sprint(p.add)
	case p.add == 0:
		return p.base
	case p.add < 0:
		return fmt.Sprintf("(%s - %d)", p.base, -p.add)
	}
	return fmt.Sprintf("(%s + %d)", p.base, p.add)
}

func (p place) plus(n int) place {
	p.add += n
	p.lo += n
	p.hi += n
	return p
}

// both joins conditions.
func both(a, b string) string {
	switch {
	case a == "":
		return b
	case b == "" || a == b:
		return a
	}
	return a + " && " + b
}

// when writes a statement under a condition.
func (t *text) when(ok, format string, args ...any) {
	s := fmt.Sprintf(format, args...)
	if ok != "" {
		s = "if (" + ok + ") " + s
	}
	t.line("%s", s)
}
