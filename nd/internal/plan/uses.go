package plan

import "slices"

// uses says which steps of a plan read a buffer, and which write it: what a step
// has to do with is found there, and not by looking at all of them.
type uses struct {
	readers, writers [][]StepID // by buffer: steps, in ascending order
	result           []bool     // by buffer
}

func usesOf(p *Plan) *uses {
	u := &uses{readers: make([][]StepID, len(p.Buffers)), writers: make([][]StepID, len(p.Buffers)), result: p.results()}
	for i := range p.Steps {
		u.add(StepID(i), &p.Steps[i])
	}
	return u
}

// results says which buffers are results.
func (p *Plan) results() []bool {
	list := make([]bool, len(p.Buffers))
	for _, r := range p.Results {
		list[r.Buffer] = true
	}
	return list
}

func (u *uses) add(i StepID, s *Step)    { u.change(insert, i, s) }
func (u *uses) remove(i StepID, s *Step) { u.change(discard, i, s) }

func (u *uses) change(how func(list *[]StepID, n StepID), i StepID, s *Step) {
	for _, b := range s.Reads {
		how(&u.readers[b], i)
	}
	for _, b := range s.Writes {
		how(&u.writers[b], i)
	}
}

// append is for a new buffer, which one step writes and nobody reads yet.
func (u *uses) append(writer StepID) {
	u.readers, u.writers, u.result = append(u.readers, nil), append(u.writers, []StepID{writer}), append(u.result, false)
}

// insert adds a step to an ascending list, once.
func insert(list *[]StepID, n StepID) {
	if at, found := slices.BinarySearch(*list, n); !found {
		*list = slices.Insert(*list, at, n)
	}
}

func discard(list *[]StepID, n StepID) {
	if at, found := slices.BinarySearch(*list, n); found {
		*list = slices.Delete(*list, at, at+1)
	}
}

// behind lists, in order, the steps before the last of some that read, or go on
// writing, what one of those or another such step wrote before.
func (u *uses) behind(p *Plan, steps []StepID) []StepID {
	last := steps[len(steps)-1]
	var found []StepID
	reach := func(k StepID) {
		for _, b := range p.Steps[k].Writes {
			for _, list := range [][]StepID{u.readers[b], u.writers[b]} {
				from, _ := slices.BinarySearch(list, k+1)
				for _, j := range list[from:] {
					if j >= last {
						break
					}
					if !slices.Contains(steps, j) {
						insert(&found, j)
					}
				}
			}
		}
	}
	for _, k := range steps {
		reach(k)
	}
	for i := 0; i < len(found); i++ { // those that are added come later
		reach(found[i])
	}
	return found
}
