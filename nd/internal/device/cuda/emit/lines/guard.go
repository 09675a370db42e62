package lines

// guard knows what happened to shared memory since the last barrier, by the
// name of the part, and puts barriers where they are needed and nowhere else.
type guard struct {
	barrier       string // the statement
	read, written map[string]bool
	quiet         bool // in loops of threads, where a barrier cannot be: who opens one asks before
}

func newGuard(barrier string) *guard {
	return &guard{barrier: barrier, read: map[string]bool{}, written: map[string]bool{}}
}

func (g *guard) beforeRead(t *text, part string) {
	if g.written[part] && !g.quiet {
		g.wait(t)
	}
	g.read[part] = true
}

func (g *guard) beforeWrite(t *text, part string) {
	if g.read[part] && !g.quiet {
		g.wait(t)
	}
	g.written[part] = true
}

// wait writes a barrier.
func (g *guard) wait(t *text) {
	t.line("%s", g.barrier)
	clear(g.read)
	clear(g.written)
}

// settle writes a barrier if anything has happened: at the ends of loops, where
// what comes next is not what follows in the text.
func (g *guard) settle(t *text) {
	if len(g.read)+len(g.written) > 0 {
		g.wait(t)
	}
}
