package webgpu

import (
	"encoding/binary"

	"github.com/twiddle-go/twiddle/nd/internal/device/webgpu/driver"
)

// Kernels are given their numbers as words in memory. Those of a batch lie in a few
// buffers that are written once, before it is submitted.

const chunkBytes = 64 << 10

// chunk is a buffer of words, and what it is to hold.
type chunk struct {
	at    driver.Buffer
	bytes int
	data  []byte
}

type words struct {
	align int
	using []*chunk // of the batch; the last has room
	spare []*chunk
}

// put takes chunks of a batch that is done back.
func (w *words) put(list []*chunk) { w.spare = append(w.spare, list...) }

// bind gives words a place.
func (d *Device) bindWords(list []uint32) (driver.Binding, error) {
	w := &d.words
	bytes := 4 * len(list)
	var c *chunk
	if n := len(w.using); n > 0 {
		c = w.using[n-1]
	}
	if c == nil || len(c.data)+bytes > c.bytes {
		c = nil
		for i, s := range w.spare {
			if s.bytes >= bytes {
				c = s
				w.spare = append(w.spare[:i], w.spare[i+1:]...)
				break
			}
		}
		if c == nil {
			c = &chunk{bytes: max(chunkBytes, bytes)}
			var err error
			if c.at, err = d.take(c.bytes, driver.Storage|driver.CopyDst); err != nil {
				return driver.Binding{}, err
			}
			c.data = make([]byte, 0, c.bytes)
		}
		c.data = c.data[:0]
		w.using = append(w.using, c)
	}
	at := len(c.data)
	for _, x := range list {
		c.data = binary.LittleEndian.AppendUint32(c.data, x)
	}
	for len(c.data)%w.align != 0 && len(c.data) < c.bytes {
		c.data = append(c.data, 0)
	}
	return driver.Binding{Buffer: c.at, At: at, Bytes: bytes}, nil
}

// flush writes the words of a batch and gives their chunks.
func (w *words) flush(gpu *driver.Device) []*chunk {
	for _, c := range w.using {
		gpu.Write(c.at, 0, c.data)
	}
	list := w.using
	w.using = nil
	return list
}
