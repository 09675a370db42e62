package ir

// SortsAlike reports a sort for positions, followed by one of the same line for
// values: one sort does for both.
func SortsAlike(a, b *Stage) bool {
	p, ok := a.Program.(*Sort)
	q, also := b.Program.(*Sort)
	return ok && also && p.Arg && !q.Arg && a.Each == b.Each && a.Reads[0] == b.Reads[0] && p.Keep == q.Keep && p.Keep > 0 &&
		p.Descending == q.Descending && p.Dims[0] > 0 && p.Dims[0] == q.Dims[0] && p.In.Offset == q.In.Offset && p.In.Strides[0] == q.In.Strides[0]
}
