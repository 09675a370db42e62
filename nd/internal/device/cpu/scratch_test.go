package cpu

import "testing"

// Parts of ever different sizes leave no chunks of those sizes behind.
func TestScratchIsAsLargeAsItsLargestPart(t *testing.T) {
	s := &scratch{stash: new(stash)}
	largest := 0
	for i := range 200 {
		s.reset()
		n := 300_000 + 10_000*(i*37%101)
		part := 0
		for _, size := range []int{100, n, n / 3} {
			s.bytes(size)
			part += (size + alignment - 1) &^ (alignment - 1)
		}
		mark := s.level()
		s.bytes(n)
		s.back(mark)
		largest = max(largest, part+(n+alignment-1)&^(alignment-1))
	}
	s.reset()
	held := 0
	for _, c := range s.chunks {
		held += len(c)
	}
	if held > largest+largest/8 {
		t.Errorf("%d bytes are held, the largest part took %d", held, largest)
	}
	// What fits is not asked for again.
	if n := testing.AllocsPerRun(10, func() { s.reset(); s.bytes(largest / 2); s.bytes(100) }); n > 0 {
		t.Errorf("%v allocations of a part that fits", n)
	}
}

// Workers share what they need seldom: what is held is what was in use at once,
// and nothing after a trim.
func TestStashHoldsWhatWasInUseAtOnce(t *testing.T) {
	team := newTeam(1)
	defer team.stop()
	for i := range 100 {
		a, b := team.take(), team.take()
		a.reset()
		b.reset()
		a.bytes(2<<20 + i*50_000)
		b.bytes(1<<20 + i*20_000)
		team.put(a)
		team.put(b)
	}
	held, most := team.pile.idleBytes, (3<<20+100*70_000)*9/8
	if held > most || held < 3<<20 {
		t.Errorf("%d bytes are idle, %d were in use at most", held, most)
	}
	team.pile.trim()
	if held := team.pile.idleBytes; held != 0 || len(team.pile.idle) != 0 {
		t.Errorf("%d bytes after a trim", held)
	}
}

// A launch that needs a large chunk besides an ordinary one leaves no garbage behind: the
// ordinary one is still there for the next.
func TestLargeChunksLeaveTheOrdinaryOne(t *testing.T) {
	s := &scratch{stash: new(stash)}
	launch := func() {
		for range 2 { // parts
			s.reset()
			s.bytes(100)
			s.bytes(3 << 20)
		}
		s.leave()
		s.reset()
	}
	launch()
	if n := testing.AllocsPerRun(10, launch); n > 0 {
		t.Errorf("%v allocations of a launch like the one before", n)
	}
}
