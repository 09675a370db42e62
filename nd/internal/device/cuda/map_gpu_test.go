package cuda

import (
	"bytes"
	"context"
	"encoding/binary"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/twiddle-go/twiddle/nd/internal/device"
	"github.com/twiddle-go/twiddle/nd/internal/ir"
)

// Tiles that are brought give the bits of those that are loaded, on a GPU, one launch behind the
// other, from several buffers.
func TestMapsOnGPU(t *testing.T) {
	d := openGPU(t)
	if !d.card.Target().Maps {
		t.Skip("the GPU has no tensor maps: they came with compute capability 9.0")
	}
	q, err := d.NewQueue()
	if err != nil {
		t.Fatal(err)
	}
	for _, inverse := range []bool{false, true} {
		p := longTransform(1<<24, 2, inverse)
		need, err := ir.Bytes(p)
		if err != nil {
			t.Fatal(err)
		}
		data := make([]byte, need[0])
		r := rand.New(rand.NewPCG(uint64(len(data)), 4))
		for i := 0; i < len(data); i += 4 {
			binary.LittleEndian.PutUint32(data[i:], math.Float32bits(r.Float32()-0.5))
		}
		var out [3][]byte
		for i := range out {
			k := &kernel{dev: d, program: p, need: need}
			card := d.card
			card.Maps = i > 0
			if err := k.make(card); err != nil {
				t.Fatal(err)
			}
			if brought := len(k.maps) > 0; brought != card.Maps {
				t.Fatalf("%d maps", len(k.maps))
			}
			x, y := allocated(t, d, need[0]), allocated(t, d, need[1])
			out[i] = make([]byte, need[1])
			q.Write(x, data)
			q.Launch(device.Launch{Kernel: k, Reads: []device.Buffer{x}, Writes: []device.Buffer{y}})
			if err := q.Read(context.Background(), out[i], y); err != nil {
				t.Fatal(err)
			}
			if !bytes.Equal(out[0], out[i]) {
				t.Errorf("inverse %t, launch %d: other bits", inverse, i)
			}
		}
	}
}
