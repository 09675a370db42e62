// Package width has what generators ask of vectors by how long they are.
package width

import (
	"github.com/mmcloughlin/avo/build"
	"github.com/mmcloughlin/avo/reg"
)

// Vector is a fresh register of 16, 32 or 64 bytes.
func Vector(bytes int) reg.VecVirtual {
	switch bytes {
	case 64:
		return build.ZMM()
	case 32:
		return build.YMM()
	}
	return build.XMM()
}
