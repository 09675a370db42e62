package main

import (
	"fmt"
	"math"

	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"

	"github.com/twiddle-go/twiddle/internal/simd/_gen/arm64"
	"github.com/twiddle-go/twiddle/internal/simd/_gen/files"
)

// slideNEON is slide with vectors of two elements.
func slideNEON(vectors int) {
	name := fmt.Sprintf("slide%dNEON", 2*vectors)
	TEXT(name, NOSPLIT, "func(dst, old, v *float64, n int, window *float64)")
	Doc(fmt.Sprintf("%s is slide for windows in %d elements, and one step or more.", name, 2*vectors))
	Pragma("noescape")
	get := func(p string) reg.GPVirtual { return Load(Param(p), GP64()).(reg.GPVirtual) }
	dst, olds, news, n, window := get("dst"), get("old"), get("v"), get("n"), get("window")
	w := make([]reg.VecVirtual, vectors+2) // between those below all and above all
	for k := range w {
		w[k] = XMM()
	}
	for i, k := range []int{0, vectors + 1} {
		bits := GP64()
		MOVQ(U64(math.Float64bits(math.Inf(2*i-1))), bits)
		VPBROADCASTQ(bits, w[k])
	}
	for k := range vectors {
		VMOVUPD(Mem{Base: window, Disp: 16 * k}, w[k+1])
	}
	old, v, mask := XMM(), XMM(), XMM()
	between := func(low, high reg.VecVirtual) reg.VecVirtual {
		x := XMM()
		files.Add(arm64.Op("ext.16b", 8, []reg.Register{low, high}, x))
		return x
	}
	up := GP64()
	Label("turn")
	VMOVSD(w[1+vectors/2], Mem{Base: dst})
	VMOVDDUP(Mem{Base: olds}, old)
	VMOVDDUP(Mem{Base: news}, v)
	VCMPPD(greaterEqual, old, v, mask)
	VMOVQ(mask, up)
	TESTQ(up, up)
	JEQ(LabelRef("down"))
	for k := 1; k <= vectors; k++ {
		next := between(w[k], w[k+1])
		VMINPD(v, next, next)
		VMAXPD(w[k], next, next)
		VCMPPD(greaterEqual, old, w[k], mask)
		VBLENDVPD(mask, next, w[k], w[k])
	}
	JMP(LabelRef("next"))
	Label("down")
	for k := vectors; k >= 1; k-- {
		last := between(w[k-1], w[k])
		VMAXPD(v, last, last)
		VMINPD(w[k], last, last)
		VCMPPD(lessEqual, old, w[k], mask)
		VBLENDVPD(mask, last, w[k], w[k])
	}
	Label("next")
	for _, p := range []reg.GPVirtual{dst, olds, news} {
		ADDQ(U8(8), p)
	}
	DECQ(n)
	JNE(LabelRef("turn"))
	RET()
}
