package butterfly

import "github.com/twiddle-go/twiddle/internal/simd"

// families are by level and width of a component.
var families = map[simd.Level]map[int]*family{
	simd.AVX2: {
		32: {
			passes:       &passesAVX2F32,
			leads:        leadsAVX2F32,
			lanes:        lanesAVX2F32,
			turns:        [2]Kernel{turnAVX2F32, turnProductAVX2F32},
			wholes:       wholesAVX2F32,
			packed:       packedAVX2F32,
			tangle:       untangleAVX2F32,
			tanglePlanes: untanglePlanesAVX2F32,
			times:        [2][2]Kernel{{timesSSAVX2F32, timesSIAVX2F32}, {timesISAVX2F32, timesIIAVX2F32}},
			besides:      besides{besideAVX2F32, endsAVX2F32},
			reals:        realsAVX2F32,
			shorts:       shortsAVX2F32[:],
			shortReals:   shortRealsAVX2F32[:],
		},
		64: {
			passes:       &passesAVX2F64,
			leads:        leadsAVX2F64,
			lanes:        lanesAVX2F64,
			turns:        [2]Kernel{turnAVX2F64, turnProductAVX2F64},
			wholes:       wholesAVX2F64,
			packed:       packedAVX2F64,
			tangle:       untangleAVX2F64,
			tanglePlanes: untanglePlanesAVX2F64,
			times:        [2][2]Kernel{{timesSSAVX2F64, timesSIAVX2F64}, {timesISAVX2F64, timesIIAVX2F64}},
			besides:      besides{besideAVX2F64, endsAVX2F64},
			reals:        realsAVX2F64,
			shorts:       shortsAVX2F64[:],
			shortReals:   shortRealsAVX2F64[:],
		},
	},
	simd.AVX512: {
		32: {
			passes:   &passesAVX512F32,
			partials: &partialsAVX512F32,
			leads:    leadsAVX512F32,
			turns:    [2]Kernel{turnAVX512F32, turnProductAVX512F32},
			wholes:   map[int]whole{64: rowed(64, 16, whole64AVX512F32), 128: rowed(128, 16, whole128AVX512F32), 256: rowed(256, 16, whole256AVX512F32), 512: rowed(512, 16, whole512AVX512F32)},
			packed:   packedAVX512F32,
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
			wholes:   map[int]whole{32: rowed(32, 8, whole32AVX512F64), 64: rowed(64, 8, whole64AVX512F64), 128: rowed(128, 8, whole128AVX512F64), 256: rowed(256, 8, whole256AVX512F64)},
			packed:   packedAVX512F64,
			tangle:   untangleAVX512F64,
			times:    [2][2]Kernel{{timesSSAVX512F64, timesSIAVX512F64}, {timesISAVX512F64, timesIIAVX512F64}},
			besides:  besides{besideAVX512F64, endsAVX512F64},
			reals:    realsAVX512F64,
		},
	},
}
