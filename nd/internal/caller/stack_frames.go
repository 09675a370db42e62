//go:build amd64 || arm64

package caller

// returns writes the addresses that the functions under way return to, from the caller of its
// caller on, and says how many there are, up to len(at). Go keeps frame pointers on these
// processors; frames of other languages end the list. The runtime neither moves the stack nor stops
// at a function in assembly, so that the pointers stay true.
//
//go:noescape
func returns(at *chain) int
