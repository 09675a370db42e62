package signal

import (
	"math"
	"slices"
	"sync"

	"github.com/twiddle-go/twiddle/nd"
)

// phases is exp(i pi (a k + b) / n) for k below count, times a factor.
type phases struct {
	count, n     int
	a, b, factor float64
}

func (t phases) values() []complex128 {
	z := make([]complex128, t.count)
	for k := range z {
		sin, cos := math.Sincos(math.Pi * (t.a*float64(k) + t.b) / float64(t.n))
		z[k] = complex(t.factor*cos, t.factor*sin)
	}
	return z
}

// turned is phases, of the precision of an array and on its device.
func turned(like *nd.Array, t phases) *nd.Array { return complexConstant(recent.of(t), like) }

// recent is the phases that were asked for: sines of a long line take as long as its
// transform.
var recent phaseCache

// phasesKept is how many elements are kept at most: 32 MiB.
const phasesKept = 1 << 21

type phaseCache struct {
	mu    sync.Mutex
	kept  []keptPhases // the last one used is last
	total int
}

type keptPhases struct {
	phases
	values []complex128
}

// of is the values, which nobody changes.
func (c *phaseCache) of(t phases) []complex128 {
	if v := c.find(t); v != nil {
		return v
	}
	v := t.values()
	if t.count > phasesKept {
		return v
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	c.kept = append(c.kept, keptPhases{t, v})
	c.total += t.count
	for c.total > phasesKept {
		c.total -= c.kept[0].count
		c.kept = slices.Delete(c.kept, 0, 1)
	}
	return v
}

func (c *phaseCache) find(t phases) []complex128 {
	c.mu.Lock()
	defer c.mu.Unlock()
	i := slices.IndexFunc(c.kept, func(k keptPhases) bool { return k.phases == t })
	if i < 0 {
		return nil
	}
	k := c.kept[i]
	c.kept = append(slices.Delete(c.kept, i, i+1), k)
	return k.values
}
