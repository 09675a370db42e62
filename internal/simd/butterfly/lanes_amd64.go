package butterfly

import "github.com/twiddle-go/twiddle/internal/simd"

// family is the generated kernels of one level and component width.
type family struct {
	passes   *[MaxRadix + 1][2][2]Kernel
	partials *[MaxRadix + 1][2][2]Kernel // rows shorter than a vector, or nil
	leads    map[LeadKind]Kernel
	turns    [2]Kernel // table, product
	wholes   map[int]Kernel
	shorts   []Kernel // by length
	// shortReals are by length, there and back.
	shortReals [][2]Kernel
	tangle     Kernel
	times      [2][2]Kernel // by load and store form
	besides    besides
	reals      map[int][2]RealKernel // by length: there, back
}

var families = map[simd.Level]map[int]*family{
	simd.AVX2: {
		32: {
			passes:     &passesAVX2F32,
			leads:      leadsAVX2F32,
			turns:      [2]Kernel{turnAVX2F32, turnProductAVX2F32},
			wholes:     map[int]Kernel{32: whole32AVX2F32},
			tangle:     untangleAVX2F32,
			times:      [2][2]Kernel{{timesSSAVX2F32, timesSIAVX2F32}, {timesISAVX2F32, timesIIAVX2F32}},
			besides:    besides{besideAVX2F32, endsAVX2F32},
			reals:      realsAVX2F32,
			shorts:     shortsAVX2F32[:],
			shortReals: shortRealsAVX2F32[:],
		},
		64: {
			passes:     &passesAVX2F64,
			leads:      leadsAVX2F64,
			turns:      [2]Kernel{turnAVX2F64, turnProductAVX2F64},
			tangle:     untangleAVX2F64,
			times:      [2][2]Kernel{{timesSSAVX2F64, timesSIAVX2F64}, {timesISAVX2F64, timesIIAVX2F64}},
			besides:    besides{besideAVX2F64, endsAVX2F64},
			reals:      realsAVX2F64,
			shorts:     shortsAVX2F64[:],
			shortReals: shortRealsAVX2F64[:],
		},
	},
	simd.AVX512: {
		32: {
			passes:   &passesAVX512F32,
			partials: &partialsAVX512F32,
			leads:    leadsAVX512F32,
			turns:    [2]Kernel{turnAVX512F32, turnProductAVX512F32},
			wholes:   map[int]Kernel{64: whole64AVX512F32, 128: whole128AVX512F32, 256: whole256AVX512F32, 512: whole512AVX512F32},
			tangle:   untangleAVX512F32,
			times:    [2][2]Kernel{{timesSSAVX512F32, timesSIAVX512F32}, {timesISAVX512F32, timesIIAVX512F32}},
			besides:  besides{besideAVX512F32, endsAVX512F32},
			reals:    realsAVX512F32,
		},
		64: {
			passes:   &passesAVX512F64,
			partials: &partialsAVX512F64,
			leads:    leadsAVX512F64,
			turns:    [2]Kernel{turnAVX512F64, turnProductAVX512F64},
			wholes:   map[int]Kernel{32: whole32AVX512F64, 64: whole64AVX512F64, 128: whole128AVX512F64, 256: whole256AVX512F64},
			tangle:   untangleAVX512F64,
			times:    [2][2]Kernel{{timesSSAVX512F64, timesSIAVX512F64}, {timesISAVX512F64, timesIIAVX512F64}},
			besides:  besides{besideAVX512F64, endsAVX512F64},
			reals:    realsAVX512F64,
		},
	},
}

// vector returns the pass kernel of exactly this level, or nil.
func vector(level simd.Level, bits, radix int, load, store Form) Kernel {
	if f := families[level][bits]; f != nil {
		return f.passes[radix][load][store]
	}
	return nil
}

// vectorPartial is vector for fewer columns than lanes.
func vectorPartial(level simd.Level, bits, radix int, load, store Form) Kernel {
	if f := families[level][bits]; f != nil && f.partials != nil {
		return f.partials[radix][load][store]
	}
	return nil
}

func vectorLead(level simd.Level, bits int, v LeadKind) Kernel {
	if f := families[level][bits]; f != nil {
		return f.leads[v]
	}
	return nil
}

func vectorTurn(level simd.Level, bits int, product bool) Kernel {
	f := families[level][bits]
	switch {
	case f == nil:
		return nil
	case product:
		return f.turns[1]
	}
	return f.turns[0]
}

func vectorWhole(level simd.Level, bits, n int) Kernel {
	if f := families[level][bits]; f != nil {
		return f.wholes[n]
	}
	return nil
}

func vectorShort(level simd.Level, bits, n int) Kernel {
	if f := families[level][bits]; f != nil && n < len(f.shorts) {
		return f.shorts[n]
	}
	return nil
}

func vectorShortReal(level simd.Level, bits, n int) [2]Kernel {
	if f := families[level][bits]; f != nil && n < len(f.shortReals) {
		return f.shortReals[n]
	}
	return [2]Kernel{}
}

func vectorUntangle(level simd.Level, bits int) Kernel {
	if f := families[level][bits]; f != nil {
		return f.tangle
	}
	return nil
}

func vectorTimes(level simd.Level, bits int, load, store Form) Kernel {
	if f := families[level][bits]; f != nil {
		return f.times[load][store]
	}
	return nil
}

func vectorBesides(level simd.Level, bits int) besides {
	if f := families[level][bits]; f != nil {
		return f.besides
	}
	return besides{}
}

func vectorReals(level simd.Level, bits int) map[int][2]RealKernel {
	if f := families[level][bits]; f != nil {
		return f.reals
	}
	return nil
}
