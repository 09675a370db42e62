//go:build !amd64 && !arm64

package butterfly

import "github.com/twiddle-go/twiddle/internal/simd"

// This file is the seat for other architectures: it finds no kernel.

func vector(simd.Level, int, int, Form, Form) Kernel { return nil }

func vectorPartial(simd.Level, int, int, Form, Form) Kernel { return nil }

func vectorMixed(simd.Level, int, int) Kernel { return nil }

func leadLanes(simd.Level, int) []int { return nil }

func vectorDoubled(simd.Level, int, int) Kernel { return nil }

func vectorJoint(simd.Level, int, int) (lead, pass Kernel) { return nil, nil }

func vectorPaired(simd.Level, int, int) (lead, last Kernel) { return nil, nil }

func vectorFirst(simd.Level, int, int) Kernel { return nil }

func vectorRealLead(simd.Level, int, bool, bool) Kernel { return nil }

func vectorFolded(simd.Level, int) bool { return false }

func vectorFold(simd.Level, int, int) Kernel { return nil }

func vectorLead(simd.Level, int, LeadKind) Kernel { return nil }

func vectorTurn(simd.Level, int, bool) Kernel { return nil }

func vectorWhole(simd.Level, int, int) whole { return whole{} }

func vectorPacked(simd.Level, int, int) packed { return packed{} }

func vectorShort(simd.Level, int, int) Kernel { return nil }

func vectorComposedReal(simd.Level, int, int) [2]Kernel { return [2]Kernel{} }

func vectorComposed(simd.Level, int, [2]int) Kernel { return nil }

func vectorManyReal(simd.Level, int, int) [2]Kernel { return [2]Kernel{} }

func vectorIntoLanes(simd.Level, int) [2]Kernel { return [2]Kernel{} }

func vectorMany(simd.Level, int, int) Kernel { return nil }

func vectorShortReal(simd.Level, int, int) [2]Kernel { return [2]Kernel{} }

func vectorUntangle(simd.Level, int) Kernel { return nil }

func vectorUntanglePlanes(simd.Level, int) Kernel { return nil }

func vectorUntangleMixed(simd.Level, int) Kernel { return nil }

func vectorUntangleSome(simd.Level, int) Kernel { return nil }

func vectorTimes(simd.Level, int, Form, Form) Kernel { return nil }

func vectorOdd(simd.Level, int, Form, Form) Kernel { return nil }

func vectorPrime(simd.Level, int, Form, Form) Kernel { return nil }

func vectorBesides(simd.Level, int) besides { return besides{} }

func vectorReals(simd.Level, int) map[int][2]RealKernel { return nil }
