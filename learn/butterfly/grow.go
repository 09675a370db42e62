package butterfly

import (
	"context"
	"fmt"
	"math"
	"math/bits"
	"slices"

	"github.com/twiddle-go/twiddle/learn"
	"github.com/twiddle-go/twiddle/nd"
)

// Grow trains a network from random numbers, from the outermost factors to the
// innermost: see the package's text. Zeros stand for the usual choice.
type Grow struct {
	Seed      uint64
	Steps     int     // of L-BFGS, at most, per level and try; 0 is 3000
	Tries     int     // how often blocks that did not come near begin anew; 0 is 12
	Tolerance float64 // of a level, relative to the root mean square of its target; 0 is 1e-10
	// Checkpoint, if not empty, is a file that is written after every level;
	// Resume goes on from it, with the bits that would have come without.
	Checkpoint string
	Resume     bool
	Device     *nd.Device // nil is the CPU
	// Hook is told of every step; it may end the training with an error.
	Hook func(GrowEvent) error
}

// GrowEvent is a step of Grow.
type GrowEvent struct {
	Size   int // of the dense blocks that are taken apart: n, n/2, ..., 4
	Blocks int // how many are trained together
	Try    int // from 1
	learn.Event
}

// hopeless is the relative error of a level from which there is nothing to go
// on with: the form does not fit.
const hopeless = 1e-3

// FailedError says that no try came near enough.
type FailedError struct {
	Size, Blocks int
	Worst        float64 // the largest relative error of a block
}

func (e *FailedError) Error() string {
	return fmt.Sprintf("butterfly: grow: %d blocks of size %d are off by %.1e, relative: the form may not fit the matrix",
		e.Blocks, e.Size, e.Worst)
}

// Train gives a network of the form that equals the matrix. If a level does not
// come within the tolerance there is a *FailedError; with it comes the network
// that Joint may go on from, or none where the level is not near at all.
func (g Grow) Train(ctx context.Context, m Matrix, f Form) (*Network, error) {
	if err := f.checkTrainable(m); err != nil {
		return nil, err
	}
	n, err := NewNetwork(f)
	if err != nil {
		return nil, err
	}
	var failed *FailedError
	level := []Matrix{f.core(m)}
	if g.Resume {
		if level, err = n.loadGrowth(g.Checkpoint, g.Seed); err != nil {
			return nil, err
		}
	}
	for level[0].N > 2 {
		factor := len(f.Spans) - 1 - (bits.Len(uint(f.N)) - bits.Len(uint(level[0].N)))
		parts, worst, err := g.level(ctx, f, level)
		if err != nil {
			return nil, err
		}
		if worst.Blocks > 0 && failed == nil {
			failed = &worst
		}
		if worst.Worst > hopeless {
			return nil, &worst
		}
		var next []Matrix
		for b, p := range parts {
			n.put(factor, b, p.left)
			if f.isDouble() {
				n.put(n.mirror(factor), b, p.right)
			}
			next = append(next, p.middle[0], p.middle[1])
		}
		level = next
		if g.Checkpoint != "" {
			if err := n.saveGrowth(g.Checkpoint, g.Seed, level); err != nil {
				return nil, err
			}
		}
	}
	n.setLast(level)
	if failed != nil {
		return n, failed
	}
	return n, nil
}

// put writes the blocks of one part of a factor.
func (n *Network) put(factor, b int, blocks []block) {
	for i, m := range blocks {
		for r := range 2 {
			for c := range 2 {
				n.W[n.at(factor, r, c, b*len(blocks)+i)] = m[r][c]
			}
		}
	}
}

// split is a matrix taken apart. Right is nil in a single form.
type split struct {
	left, right []block
	middle      [2]Matrix
	off         float64 // relative error
}

func (g Grow) or(v, usual int) int {
	if v <= 0 {
		return usual
	}
	return v
}

// level takes all matrices of a level apart, those together that have not come
// near in an earlier try.
func (g Grow) level(ctx context.Context, f Form, targets []Matrix) ([]split, FailedError, error) {
	tolerance := g.Tolerance
	if tolerance <= 0 {
		tolerance = 1e-10
	}
	best := make([]split, len(targets))
	todo := make([]int, len(targets))
	for i := range todo {
		todo[i], best[i].off = i, math.Inf(1)
	}
	for try := 1; try <= g.or(g.Tries, 12) && len(todo) > 0; try++ {
		// A block that is hard keeps all others from getting on, so those that
		// are left begin anew in small groups.
		group := len(todo)
		if try > 1 {
			group = min(group, 8)
		}
		var left []int
		for some := range slices.Chunk(todo, group) {
			parts, err := g.try(ctx, newTask(f, targets, some), try, tolerance)
			if err != nil {
				return nil, FailedError{}, err
			}
			for k, i := range some {
				if parts[k].off < best[i].off {
					best[i] = parts[k]
				}
				if !(best[i].off <= tolerance) {
					left = append(left, i)
				}
			}
		}
		todo = left
	}
	worst := FailedError{Size: targets[0].N, Blocks: len(todo)}
	for _, i := range todo {
		worst.Worst = max(worst.Worst, best[i].off)
	}
	return best, worst, nil
}

// try trains the task from random numbers.
func (g Grow) try(ctx context.Context, t *task, try int, tolerance float64) ([]split, error) {
	// So that every step finds the target as it reads it.
	t.target = placed(g.Device, t.target.AddScalar(0))
	if err := nd.Eval(ctx, t.target); err != nil {
		return nil, err
	}
	size := 2 * t.half
	key := nd.Key(g.Seed).Fold(uint64(size)).Fold(uint64(try))
	// Long histories help, but that of the largest level has to fit in memory.
	memory := 20
	if size > 256 {
		memory = 10
	}
	params := t.random(key)
	for i := range params {
		params[i].Value = placed(g.Device, params[i].Value)
	}
	trainer := &learn.Trainer{
		Params: params, Loss: func(_ int, p []*nd.Array) *nd.Array { return t.loss(p) },
		Optimizer: learn.LBFGS{Memory: memory}, Rate: learn.Constant(1),
	}
	var s stagnation
	hook := func(e learn.Event) error {
		if g.Hook != nil {
			if err := g.Hook(GrowEvent{Size: size, Blocks: t.count, Try: try, Event: e}); err != nil {
				return err
			}
		}
		// The loss is the sum over blocks of squared relative errors.
		if e.Loss <= 0.25*tolerance*tolerance || s.stuck(e.Loss) {
			return learn.ErrStop
		}
		return nil
	}
	if err := trainer.Run(ctx, g.or(g.Steps, 3000), hook); err != nil {
		return nil, err
	}
	return t.splits(ctx, trainer.Params)
}

// stagnation notices a loss that does not fall any more.
type stagnation struct {
	steps int
	mark  float64
}

// stuck reports less than a tenth of progress in so many steps: what has come
// near the minimum gains far more.
func (s *stagnation) stuck(loss float64) bool {
	const patience = 150
	if s.steps%patience == 0 {
		if s.steps > 0 && loss > 0.9*s.mark {
			return true
		}
		s.mark = loss
	}
	s.steps++
	return false
}
