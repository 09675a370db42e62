package line

// guard knows what happened to shared memory since the last barrier, by the
// name of the part, and puts barriers where they are needed and nowhere else.
type guard struct {
	barrier       func() // makes one
	read, written map[string]bool
	quiet         bool // in loops of threads, where a barrier cannot be: who opens one asks before
}

func newGuard(barrier func()) *guard {
	return &guard{barrier: barrier, read: map[string]bool{}, written: map[string]bool{}}
}

func (g *guard) beforeRead(part string) {
	if g.written[part] && !g.quiet {
		g.wait()
	}
	g.read[part] = true
}

func (g *guard) beforeWrite(part string) {
	if g.read[part] && !g.quiet {
		g.wait()
	}
	g.written[part] = true
}

// wait makes a barrier.
func (g *guard) wait() {
	g.barrier()
	clear(g.read)
	clear(g.written)
}

// settle makes a barrier if anything has happened: at the ends of loops, where
// what comes next is not what follows in the text.
func (g *guard) settle() {
	if len(g.read)+len(g.written) > 0 {
		g.wait()
	}
}

// quietly runs body, which has no place for barriers.
func (g *guard) quietly(body func()) {
	was := g.quiet
	g.quiet = true
	body()
	g.quiet = was
}
