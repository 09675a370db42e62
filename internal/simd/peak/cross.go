package peak

// Crossings is where a line crosses heights below maxima.
type Crossings struct {
	Levels      []float64 // the heights
	Left, Right []float64 // where the line crosses them
	Widths      []float64 // how far that is apart
}

func (c Crossings) first(n int) Crossings {
	return Crossings{c.Levels[:n], c.Left[:n], c.Right[:n], c.Widths[:n]}
}

// Cross finds where the line falls below each of the selected maxima by rel times how
// far it stands out, which is known of all of these.
func (f *Finder) Cross(x []float64, rel float64) {
	if f.crossings.Levels == nil {
		for _, v := range []*[]float64{&f.crossings.Levels, &f.crossings.Left, &f.crossings.Right, &f.crossings.Widths} {
			*v = make([]float64, f.most()+Slack)
		}
	}
	f.Crossings = f.crossings.first(len(f.At))
	if len(f.At) > 0 {
		f.cross(f, x, rel)
	}
}

// cross is kernels.cross.
func cross(f *Finder, x []float64, rel float64) {
	f.Each(func(i int) {
		b := f.Bases[i]
		level, left, right := Crossing(x, int(f.At[i]), float64(f.Prominences[i]*rel), int(b.Left), int(b.Right))
		f.Levels[i], f.Left[i], f.Right[i], f.Widths[i] = level, left, right, right-left
	})
}

// Crossing is the height that is so far below sample k, and where the line crosses it
// on either side, between the bases. below is rounded, as in vectors: a product that
// is handed over could be fused with the difference.
func Crossing(x []float64, k int, below float64, leftBase, rightBase int) (level, left, right float64) {
	level = x[k] - below
	j := k
	for j > leftBase && level < x[j] {
		j--
	}
	left = float64(j)
	if x[j] < level {
		left += (level - x[j]) / (x[j+1] - x[j])
	}
	j = k
	for j < rightBase && level < x[j] {
		j++
	}
	right = float64(j)
	if x[j] < level {
		right -= (level - x[j]) / (x[j-1] - x[j])
	}
	return level, left, right
}
