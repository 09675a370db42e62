package nd

// partOf is where the elements of a group are in an input and an output of as many.
func partOf(g *Group, n int) (from, to int) {
	from = g.Position[0] * g.Constant("PART")
	return from, min(from+g.Constant("PART"), n)
}

// searchCells looks elements up in a table of where the sorted are, if that pays.
func searchCells[T float32 | float64](g *Group) {
	x, sorted, places := Elements[T](g.Inputs[0]), Elements[T](g.Inputs[1]), Elements[int32](g.Outputs[0])
	from, to := partOf(g, len(x))
	places, x = places[from:to], x[from:to]
	if c, ok := cellsFor(sorted, x); ok {
		c.place(places, x)
	} else {
		placeAll(places, x, sorted)
	}
}

func searchGroup[T int32 | int64](g *Group) {
	x, places := Elements[T](g.Inputs[0]), Elements[int32](g.Outputs[0])
	from, to := partOf(g, len(x))
	placeAll(places[from:to], x[from:to], Elements[T](g.Inputs[1]))
}

// interpGroup finds places for some elements at a time, which stay in the first cache.
func interpGroup[T float32 | float64](g *Group) {
	x, xp, fp, y := Elements[T](g.Inputs[0]), Elements[T](g.Inputs[1]), Elements[T](g.Inputs[2]), Elements[T](g.Outputs[0])
	from, to := partOf(g, len(x))
	cells, ok := cellsFor(xp, x[from:to])
	var some [512]int32
	for ; from < to; from += len(some) {
		x := x[from:min(from+len(some), to)]
		places := some[:len(x)]
		if ok {
			cells.place(places, x)
		} else {
			placeAll(places, x, xp)
		}
		for i, v := range x {
			left := min(max(int(places[i])-1, 0), len(xp)-2)
			x0, x1, f0, f1 := xp[left], xp[left+1], fp[left], fp[left+1]
			r := f0 + T((f1-f0)*((v-x0)/(x1-x0)))
			switch {
			case v >= x1:
				r = f1
			case v <= x0:
				r = f0
			case v != v:
				r = v
			}
			y[from+i] = r
		}
	}
}

// cellsFor are cells of the sorted, if the elements of x are worth them.
func cellsFor[T float32 | float64](sorted, x []T) (c cells[T], ok bool) {
	if 2*len(x) < len(sorted) || len(sorted) < 2 || isRamp(x) {
		return c, false
	}
	c = newCells(sorted)
	return c, c.crowd <= mostCrowd
}

// place sets places to how many edges are at most the elements of x; all of them, if NaN.
func (c *cells[T]) place(places []int32, x []T) {
	low, high, scale, crowd, before, bounds := c.low, c.high, c.scale, c.crowd, c.before, c.bounds
	all := int32(len(bounds) - crowd)
	for i, v := range x {
		switch {
		case v < low:
			places[i] = 0
		case v < high:
			at := int(before[min(int((v-low)*scale), len(before)-2)])
			for k := crowd; k > 0; k-- {
				at += one(v >= bounds[at])
			}
			places[i] = int32(at)
		default:
			places[i] = all
		}
	}
}

// placeAll does the same by halving, for four elements at once, since each waits for what it
// loads. Elements that follow a place of the one before, as those of times and ramps do, are
// found beside it.
func placeAll[T float32 | float64 | int32 | int64](places []int32, x, sorted []T) {
	if isRamp(x) {
		at := 0
		for i, v := range x {
			at = placeNear(sorted, v, at)
			places[i] = int32(at)
		}
		return
	}
	for ; len(x) >= 4; x, places = x[4:], places[4:] {
		a, b, c, d := x[0], x[1], x[2], x[3]
		var p, q, r, s int
		n := len(sorted)
		for n > 1 {
			half := n / 2
			p += half & -one(sorted[p+half-1] <= a)
			q += half & -one(sorted[q+half-1] <= b)
			r += half & -one(sorted[r+half-1] <= c)
			s += half & -one(sorted[s+half-1] <= d)
			n -= half
		}
		places[0], places[1] = lastPlace(sorted, a, p), lastPlace(sorted, b, q)
		places[2], places[3] = lastPlace(sorted, c, r), lastPlace(sorted, d, s)
	}
	for i, v := range x {
		places[i] = int32(placeOf(sorted, v))
	}
}

// lastPlace is the place of v, of which one element of the sorted is left to be asked.
func lastPlace[T float32 | float64 | int32 | int64](sorted []T, v T, at int) int32 {
	if v != v {
		return int32(len(sorted))
	}
	return int32(at + one(sorted[at] <= v))
}

// placeOf is how many of the sorted are at most v; all, if it is NaN.
func placeOf[T float32 | float64 | int32 | int64](sorted []T, v T) int {
	at := 0
	for n := len(sorted); n > 1; n -= n / 2 {
		at += (n / 2) & -one(sorted[at+n/2-1] <= v)
	}
	return int(lastPlace(sorted, v, at))
}

// placeNear is placeOf, which is near at.
func placeNear[T float32 | float64 | int32 | int64](sorted []T, v T, at int) int {
	for range 4 {
		switch {
		case at > 0 && !(sorted[at-1] <= v):
			at--
		case at < len(sorted) && sorted[at] <= v:
			at++
		case v == v:
			return at
		}
	}
	return placeOf(sorted, v)
}

// isRamp says whether elements go up, or go down, as far as 32 pairs of neighbours tell.
func isRamp[T float32 | float64 | int32 | int64](x []T) bool {
	if len(x) < 64 {
		return false
	}
	up := 0
	for i := range 32 {
		at := i * (len(x) / 32)
		up += one(x[at] <= x[at+1])
	}
	return up >= 31 || up <= 1
}
