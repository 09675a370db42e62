package device_test

import (
	"testing"

	"github.com/twiddle-go/twiddle/nd/internal/device"
	"github.com/twiddle-go/twiddle/nd/internal/device/null"
)

// thrifty makes small buffers as fast as a pool finds them.
type thrifty struct{ device.Device }

func (thrifty) Cheap(bytes int) bool { return bytes < 64<<10 }

// Of cheap blocks some are kept, of others all: who drops half a million small arrays
// does not keep them for ever.
func TestPoolKeepsFewCheapBlocks(t *testing.T) {
	p := device.NewPool(thrifty{null.New(null.Options{})})
	fill := func(size, bytes int) {
		var blocks []*device.Block
		for n := 0; n < bytes; n += size {
			blocks = append(blocks, get(t, p, size, 0, nil))
		}
		for _, b := range blocks {
			b.Release()
		}
	}
	fill(32<<10, 64<<20)
	if u := p.Usage(); u.Cached != 32<<20 || u.Active != 0 {
		t.Errorf("%+v after 64 MiB of small blocks: want 32 MiB cached", u)
	}
	fill(32<<10, 16<<20) // from those that are cached
	if u := p.Usage(); u.Cached != 32<<20 {
		t.Errorf("%+v after 16 more", u)
	}
	fill(1<<20, 64<<20)
	if u := p.Usage(); u.Cached != 96<<20 {
		t.Errorf("%+v after 64 MiB of large blocks: want all of them cached, too", u)
	}
	p.Trim()
	fill(32<<10, 64<<20)
	if u := p.Usage(); u.Cached != 32<<20 {
		t.Errorf("%+v after Trim and 64 MiB of small blocks", u)
	}
	p.SetCacheLimit(100 << 20) // whoever says how much means it
	fill(32<<10, 64<<20)
	if u := p.Usage(); u.Cached != 64<<20 {
		t.Errorf("%+v of a given limit: want all cached", u)
	}
}
