package chain

import "unsafe"

// bank runs so many registers at a time.
type bank struct {
	registers int
	run       func(code *byte, count, from, bytes int)
}

// machineOf runs chains on registers of so many bytes, with the largest bank as
// far as it goes, and so on.
func machineOf[T Float](register int, banks ...bank) Machine[T] {
	var x T
	size := int(unsafe.Sizeof(x))
	return Machine[T]{register / size, func(code []Instr, n int) {
		from, bytes := 0, n*size
		for _, b := range banks {
			if group := b.registers * register; bytes-from >= group {
				to := from + (bytes-from)/group*group
				b.run(start(code), len(code), from, to)
				from = to
			}
		}
	}}
}

// start is the code as the assembly sees it: pairs of words.
func start(code []Instr) *byte { return (*byte)(unsafe.Pointer(unsafe.SliceData(code))) }
