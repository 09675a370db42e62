package cuda

import (
	"bytes"
	"context"
	"fmt"
	"sync"
	"sync/atomic"
	"testing"
	"unsafe"

	"github.com/twiddle-go/twiddle/internal/cuda/driver"
	"github.com/twiddle-go/twiddle/nd/internal/device"
)

// simPeers is what a simulated GPU knows of others.
type simPeers struct {
	apart  bool // it reaches nobody
	asked  atomic.Int64
	copies atomic.Int64
}

var (
	simsMu sync.Mutex
	sims   = map[driver.Peer]*sim{} // whose memory others copy from
)

func (s *sim) Peer() driver.Peer {
	p := driver.Peer{Context: uintptr(unsafe.Pointer(s))}
	simsMu.Lock()
	defer simsMu.Unlock()
	sims[p] = s
	return p
}

func (s *sim) Reach(driver.Peer) bool {
	s.peers.asked.Add(1)
	return !s.peers.apart
}

func (s *sim) CopyFrom(dst driver.Pointer, p driver.Peer, src driver.Pointer, n int, st driver.Stream) driver.Result {
	simsMu.Lock()
	other := sims[p]
	simsMu.Unlock()
	s.peers.copies.Add(1)
	return s.put(st, func() {
		from, ok := other.lookup(uint64(src))
		to, there := s.lookup(uint64(dst))
		if !ok || !there || len(from) < n || len(to) < n {
			s.fault()
			return
		}
		copy(to[:n], from)
	})
}

// forgetSim lets a simulation go when its test is over.
func forgetSim(s *sim) {
	simsMu.Lock()
	defer simsMu.Unlock()
	delete(sims, driver.Peer{Context: uintptr(unsafe.Pointer(s))})
}

// Two GPUs copy from each other without the host where they can, and say so where
// they cannot.
func TestCopyBetweenGPUs(t *testing.T) {
	first, s1 := openSim(t)
	defer first.Close()
	second, s2 := openSim(t)
	defer second.Close()
	defer forgetSim(s1)
	copyBothWays(t, first, second)
	if s1.peers.copies.Load() != 2 || s2.peers.copies.Load() != 2 || s1.peers.asked.Load() != 1 {
		t.Errorf("%d and %d copies, asked %d times", s1.peers.copies.Load(), s2.peers.copies.Load(), s1.peers.asked.Load())
	}

	alone, s3 := openSim(t)
	defer alone.Close()
	s3.peers.apart = true
	a, b := newBench(t, first), newBench(t, alone)
	x, y := a.floats(1, 2), b.floats(3, 4)
	if b.q.(device.Peer).CopyFrom(y, x, 8) {
		t.Error("copied between GPUs that do not reach each other")
	}
	if got, err := b.read(y); err != nil || got[0] != 3 {
		t.Errorf("%v, %v", got, err)
	}
	peer := a.q.(device.Peer)
	if z := a.floats(0, 0); peer.CopyFrom(z, x, 8) || peer.CopyFrom(z, y, 1<<20) {
		t.Error("copied within a GPU, or more than there is")
	}
}

// The same between two contexts of one card, each with its own memory and streams.
func TestCopyBetweenContexts(t *testing.T) {
	first := openGPU(t)
	second, err := OpenContext(0)
	if err != nil {
		t.Fatal(err)
	}
	defer second.Close()
	copyBothWays(t, first, second)
}

func copyBothWays(t *testing.T, first, second *Device) {
	t.Helper()
	for _, n := range []int{4, 1 << 20} {
		for _, pair := range [][2]*Device{{first, second}, {second, first}} {
			what := fmt.Sprintf("%d bytes from %s to %s", n, pair[0].name, pair[1].name)
			data := make([]byte, n)
			for i := range data {
				data[i] = byte(i*7 + n)
			}
			from, to := newBench(t, pair[0]), newBench(t, pair[1])
			x, err := pair[0].Alloc(n)
			if err != nil {
				t.Fatal(err)
			}
			y, err := pair[1].Alloc(n + 64)
			if err != nil {
				t.Fatal(err)
			}
			from.q.Write(x, data)
			if err := from.q.Record().Wait(context.Background()); err != nil {
				t.Fatal(err)
			}
			if !to.q.(device.Peer).CopyFrom(y, x, n) {
				t.Fatalf("%s: they do not reach each other", what)
			}
			got := make([]byte, n)
			if err := to.q.Read(context.Background(), got, y); err != nil {
				t.Fatal(err)
			}
			if !bytes.Equal(got, data) {
				t.Errorf("%s: other bytes", what)
			}
			pair[0].Free(x)
			pair[1].Free(y)
		}
	}
}
