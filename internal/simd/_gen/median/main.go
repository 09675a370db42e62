// Command median writes the kernels of internal/simd/median, from the folder above
// this one:
//
//	go run ./median
package main

import (
	"fmt"
	"math"

	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"

	"github.com/twiddle-go/twiddle/internal/simd/_gen/files"
)

func main() {
	files.Write("median", "median", "go run ./median", func() {
		for _, vectors := range []int{2, 4, 6, 8} {
			slide(vectors)
		}
	}, nil)
	files.WriteNEON("median", "median", "go run ./median", func() {
		slideNEON(16) // medians of windows below 17 are those of columns
	}, nil)
}

const (
	lanes        = 8
	greaterEqual = U8(0x1d)
	lessEqual    = U8(0x12)
)

// slide keeps the sorted window in registers. Taking old out and putting v in is a
// minimum and a maximum for every element, by how v compares with old:
//
//	v >= old: w[k] >= old becomes max(w[k], min(w[k+1], v))
//	v < old:  w[k] <= old becomes min(w[k], max(w[k-1], v))
func slide(vectors int) {
	name := fmt.Sprintf("slide%dAVX512", lanes*vectors)
	TEXT(name, NOSPLIT, "func(dst, old, v *float64, n int, window *float64)")
	Doc(fmt.Sprintf("%s is slide for windows in %d elements, and one step or more.", name, lanes*vectors))
	Pragma("noescape")
	get := func(p string) reg.GPVirtual { return Load(Param(p), GP64()).(reg.GPVirtual) }
	dst, olds, news, n, window := get("dst"), get("old"), get("v"), get("n"), get("window")
	w := make([]reg.VecVirtual, vectors+2) // between those below all and above all
	for k := range w {
		w[k] = ZMM()
	}
	bits := GP64()
	MOVQ(U64(math.Float64bits(math.Inf(-1))), bits)
	VPBROADCASTQ(bits, w[0])
	MOVQ(U64(math.Float64bits(math.Inf(1))), bits)
	VPBROADCASTQ(bits, w[vectors+1])
	for k := range vectors {
		VMOVUPD(Mem{Base: window, Disp: 64 * k}, w[k+1])
	}
	old, v, mask := ZMM(), ZMM(), K()
	at := GP64()
	XORQ(at, at)
	Label("turn")
	VMOVSD(w[1+vectors/2].AsX(), Mem{Base: dst, Index: at, Scale: 8})
	VBROADCASTSD(Mem{Base: olds, Index: at, Scale: 8}, old)
	VBROADCASTSD(Mem{Base: news, Index: at, Scale: 8}, v)
	VUCOMISD(old.AsX(), v.AsX())
	JB(LabelRef("down"))
	for k := 1; k <= vectors; k++ {
		next := ZMM()
		VALIGNQ(U8(1), w[k], w[k+1], next)
		VMINPD(v, next, next)
		VCMPPD(greaterEqual, old, w[k], mask)
		VMAXPD(w[k], next, mask, w[k])
	}
	JMP(LabelRef("next"))
	Label("down")
	for k := vectors; k >= 1; k-- {
		last := ZMM()
		VALIGNQ(U8(7), w[k-1], w[k], last)
		VMAXPD(v, last, last)
		VCMPPD(lessEqual, old, w[k], mask)
		VMINPD(w[k], last, mask, w[k])
	}
	Label("next")
	INCQ(at)
	CMPQ(at, n)
	JL(LabelRef("turn"))
	VZEROUPPER()
	RET()
}
