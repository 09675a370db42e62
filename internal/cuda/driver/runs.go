package driver

import "unsafe"

// Runs are Count elements of 8 bytes that follow each other, Runs times, each run Apart
// elements behind the one before it. They are among so many Elements.
type Runs struct{ Elements, Count, Runs, Apart int }

// Map is what a kernel that brings runs to shared memory has as a parameter.
type Map [16]uint64

// MostAlong is how many elements a box of a tensor may have along an axis.
const MostAlong = 256

// The driver's numbers for elements of 64 bits, and for lines of 128 bytes that the second-level
// cache asks memory for.
const (
	elements64 = 4
	lines128   = 2
)

// mapAlign is what a map begins with a multiple of.
const mapAlign = 64

// HasMaps reports a driver that makes maps.
func (c *Context) HasMaps() bool { return c.d.encodeTiled != 0 }

// Map makes the map of runs from an address on, a multiple of 16: the tensor whose first axis
// is all elements, of which a box of three axes begins at one. So a kernel names its runs by
// their first element.
func (c *Context) Map(at Pointer, r Runs) (m Map, result Result) {
	along := min(r.Runs, MostAlong)
	step := uint64(r.Apart) * 8
	dims := [3]uint64{uint64(r.Elements), uint64(along), uint64(r.Runs / along)}
	strides := [2]uint64{step, step * uint64(along)}
	box := [3]uint32{uint32(r.Count), uint32(along), uint32(r.Runs / along)}
	each := [3]uint32{1, 1, 1}
	var room [2 * len(m)]uint64 // the driver wants it to begin with 64 bytes
	to := &room[-uintptr(unsafe.Pointer(&room))%mapAlign/8]
	result = call(c.d.encodeTiled, uintptr(unsafe.Pointer(to)), elements64, uintptr(len(dims)), uintptr(at),
		uintptr(unsafe.Pointer(&dims)), uintptr(unsafe.Pointer(&strides)), uintptr(unsafe.Pointer(&box)), uintptr(unsafe.Pointer(&each)), 0, 0, lines128, 0)
	copy(m[:], unsafe.Slice(to, len(m)))
	return m, result
}
