package plan

import (
	"slices"

	"github.com/twiddle-go/twiddle/nd/internal/device"
	"github.com/twiddle-go/twiddle/nd/internal/ir"
	"github.com/twiddle-go/twiddle/nd/internal/lists"
)

// A loss that divides by a norm of all its spectra goes over its frames twice: once
// for the norm, once for the gradient. Between the two launches spectra would lie in
// memory, though the samples that they are made of are a fraction of that. So where a
// launch reads lines that another one transforms, it may transform them again.

// repeat is a plan before fusion whose launches compute lines again that other ones
// would store for them, by what fusing it gave, or nil if there are none.
func repeat(p, fused *Plan) *Plan {
	r := repeater{plan: p, uses: usesOf(p), launch: lineLaunches(p, fused), again: map[crossed]BufferID{}}
	chains := map[crossed][]StepID{}
	for i, s := range p.Steps {
		for _, b := range s.Reads {
			if made := r.chain(b, StepID(i)); r.pays(made) {
				chains[crossed{b, r.launch[i]}] = made
			}
		}
	}
	if len(chains) == 0 {
		return nil
	}
	r.plan = p.Clone()
	steps := make([]Step, 0, len(p.Steps))
	for i, s := range r.plan.Steps {
		for k, b := range s.Reads {
			if c := (crossed{b, r.launch[i]}); chains[c] != nil {
				steps = r.copy(steps, chains[c], c)
				s.Reads[k] = r.again[c]
			}
		}
		steps = append(steps, s)
	}
	r.plan.Steps = steps
	dropUnread(r.plan)
	dropDead(r.plan)
	return r.plan
}

// lineLaunches is, by step of a plan, the line program that fusing it made it a part of, or
// -1.
func lineLaunches(p, fused *Plan) []int {
	launch := slices.Repeat([]int{-1}, len(p.Steps))
	for i, s := range fused.Steps {
		if _, isLine := s.Program.(*ir.Line); isLine {
			for _, part := range s.parts {
				launch[part] = i
			}
		}
	}
	return launch
}

// crossed is a buffer as a launch knows it that makes it again.
type crossed struct {
	buf    BufferID
	launch int
}

// repeater makes steps again for other launches.
type repeater struct {
	plan   *Plan
	uses   *uses
	launch []int // by step: the line program that it is a part of, or -1
	again  map[crossed]BufferID
}

// chain lists, in order, the steps of one other launch that make a buffer which a step
// reads, or none if they are not maps and transforms, of which there is at least one.
func (r *repeater) chain(b BufferID, reader StepID) []StepID {
	if len(r.uses.writers[b]) != 1 || r.launch[reader] < 0 {
		return nil
	}
	from := r.launch[r.uses.writers[b][0]]
	var made []StepID
	transforms := false
	for todo := []BufferID{b}; len(todo) > 0; todo = todo[1:] {
		w := r.uses.writers[todo[0]]
		if len(w) == 0 || r.launch[w[0]] != from {
			continue // in memory before
		}
		s := &r.plan.Steps[w[0]]
		_, isMap := s.Program.(*ir.Map)
		transforms = transforms || isTransform(s.Program)
		if len(w) > 1 || s.Adds || from < 0 || from == r.launch[reader] || s.Stream != r.plan.Steps[reader].Stream || !isMap && !isTransform(s.Program) {
			return nil
		}
		if !slices.Contains(made, w[0]) {
			insert(&made, w[0])
			todo = append(todo, s.Reads...)
		}
	}
	if !transforms {
		return nil
	}
	return made
}

// pays reports that what the steps read is much less than what they make.
func (r *repeater) pays(made []StepID) bool {
	var read, write []BufferID
	for _, i := range made {
		read, write = append(read, r.plan.Steps[i].Reads...), append(write, r.plan.Steps[i].Writes...)
	}
	read = slices.DeleteFunc(read, func(b BufferID) bool { return slices.Contains(write, b) })
	return len(made) > 0 && 2*r.plan.bytesOf(read) < r.plan.bytesOf(write)
}

// copy appends steps once more, for a launch alone.
func (r *repeater) copy(steps []Step, made []StepID, c crossed) []Step {
	for _, i := range made {
		s := r.plan.Steps[i]
		if _, have := r.again[crossed{s.Writes[0], c.launch}]; have {
			continue
		}
		s.Program = ir.Clone(s.Program)
		s.Reads = lists.Map(s.Reads, func(b BufferID) BufferID {
			if own, have := r.again[crossed{b, c.launch}]; have {
				return own
			}
			return b
		})
		s.Writes = lists.Map(s.Writes, func(b BufferID) BufferID {
			own := r.plan.addBuffer(Buffer{Node: r.plan.Buffers[b].Node, Bytes: r.plan.Buffers[b].Bytes})
			r.again[crossed{b, c.launch}] = own
			return own
		})
		s.Args, s.Nodes, s.parts = slices.Clone(s.Args), slices.Clone(s.Nodes), nil
		s.Label += " again"
		steps = append(steps, s)
	}
	return steps
}

// bytesOf is how much buffers hold, each counted once.
func (p *Plan) bytesOf(list []BufferID) int {
	slices.Sort(list)
	return lists.Sum(slices.Compact(list), func(b BufferID) int { return p.Buffers[b].Bytes })
}

// stored is how much the steps write.
func (p *Plan) stored() int {
	var list []BufferID
	for _, s := range p.Steps {
		list = append(list, s.Writes...)
	}
	return p.bytesOf(list)
}

// fewerStores reports that computing lines again takes less time than storing them.
// Predictions hide a launch's stores behind its arithmetic. Maps of spectra have too few
// threads on a processor for that, and rows of spectra begin anywhere, so that parts of
// sectors are written twice. On an H200 the MR-STFT loss of 16 x 44100 with its gradient
// takes 340 us with 193 MB stored between its launches, and 312 us without, where 121 us
// more were predicted: storing took 1.6 times as long as copying as much.
func fewerStores(again, now *Plan, info device.Info) bool {
	const stall = 1.5
	saved := now.stored() - again.stored()
	more := again.Ns(info.Figures) - now.Ns(info.Figures)
	return saved >= info.RepeatBytes && more < stall*2*float64(saved)/info.Figures.CopyBytesPerNs
}
