package ktree

// Intrinsic is a built-in function.
type Intrinsic uint8

const (
	NoIntrinsic Intrinsic = iota

	// Floats, component by component.
	Exp
	Exp2
	Exp10
	Log
	Log2
	Log10
	Sqrt
	Rsqrt
	Sin
	Cos
	Tan
	Asin
	Acos
	Atan
	Sinh
	Cosh
	Tanh
	Floor
	Ceil
	Trunc
	Rint      // half to even
	RoundAway // half away from zero
	Fract
	Sign
	Saturate
	Fabs
	Pow
	Atan2
	Fmod
	Fmin // a NaN loses
	Fmax // a NaN loses
	Copysign
	Step       // step(edge, x)
	Fma        // rounded once
	Mix        // mix(x, y, a) = x + (y-x)*a
	Smoothstep // smoothstep(lo, hi, x)

	// Floats, for the engine's kernels: the dialect has no name for them.
	Log1p
	Expm1
	Erf
	InvSqrt   // a reciprocal root of the device's own accuracy
	RsqrtNear // a first guess at a reciprocal root, subnormal numbers as zero
	RcpNear   // the same for a reciprocal
	Ilogb     // the exponent, as a float of the same kind
	Scalbn    // scalbn(x, n) = x * 2^n, n a whole number as a float

	// Integers or floats, component by component.
	Abs
	Min // as Fmin for floats
	Max // as Fmax for floats
	Clamp

	// Integers, component by component.
	Popcount
	Clz
	Ctz
	ReverseBits
	MulHi

	// Float to bool.
	IsNaN
	IsInf
	IsFinite

	// select(x, y, c) is c ? y : x, component by component.
	Select

	// Vectors to a scalar or vector.
	Dot
	Length
	Distance
	Normalize
	Cross
	Any
	All

	// Across a simdgroup's active threads.
	SimdSum
	SimdProduct
	SimdMax
	SimdMin
	SimdAll
	SimdAny
	SimdPrefixInclusiveSum
	SimdPrefixExclusiveSum
	SimdBroadcast
	SimdShuffle
	SimdShuffleXor
	SimdShuffleUp
	SimdShuffleDown

	// SimdTurn is a matrix of 8 x 8 halves whose rows become columns, for the engine's
	// kernels: lane l has elements 2*(l%4) and the next of row l/4, and gets those of that column.
	SimdTurn

	// SimdMatch is the lanes, as bits, that have the same number below 256 as this one, for
	// the engine's kernels.
	SimdMatch

	// GroupSame is a condition that is the same for all threads of the group, which the
	// kernel says and nothing computes.
	GroupSame
	// GroupAny is whether a condition holds for any thread of the group, all of
	// which wait for each other there.
	GroupAny

	// On an element of an atomic object; all but store give the value before.
	AtomicAdd
	AtomicSub
	AtomicMin
	AtomicMax
	AtomicAnd
	AtomicOr
	AtomicXor
	AtomicExchange
	AtomicLoad
	AtomicStore

	// Now is an element of constant memory that is loaded here and not where it is
	// used.
	Now

	// Once is an element of device memory that is loaded here, past the cache of the
	// multiprocessor: no other thread there reads the same sector.
	Once

	// Fence orders a thread's writes to device memory for all others; it takes and
	// gives nothing.
	Fence

	IntrinsicCount
)

// Class says which operands an intrinsic takes and what it gives.
type Class uint8

const (
	ClassFloat  Class = iota // floats of one type to that type
	ClassNumber              // integers or floats of one type to that type
	ClassInt                 // integers of one type to that type
	ClassTest                // a float to bool
	ClassSelect
	ClassDot    // float vectors of one type to a scalar
	ClassVector // float vectors of one type to that type
	ClassBools  // a bool vector to bool
	ClassSimd   // numbers to that type
	ClassVote   // bool to bool
	ClassLane   // a number and a lane
	ClassAtomic
	ClassFence
)

// IntrinsicInfo describes an intrinsic.
type IntrinsicInfo struct {
	Name  string
	Arity int
	Class Class
}

var intrinsics = [IntrinsicCount]IntrinsicInfo{
	Exp: {"exp", 1, ClassFloat}, Exp2: {"exp2", 1, ClassFloat}, Exp10: {"exp10", 1, ClassFloat},
	Log: {"log", 1, ClassFloat}, Log2: {"log2", 1, ClassFloat}, Log10: {"log10", 1, ClassFloat},
	Sqrt: {"sqrt", 1, ClassFloat}, Rsqrt: {"rsqrt", 1, ClassFloat}, Sin: {"sin", 1, ClassFloat},
	Cos: {"cos", 1, ClassFloat}, Tan: {"tan", 1, ClassFloat}, Asin: {"asin", 1, ClassFloat},
	Acos: {"acos", 1, ClassFloat}, Atan: {"atan", 1, ClassFloat}, Sinh: {"sinh", 1, ClassFloat},
	Cosh: {"cosh", 1, ClassFloat}, Tanh: {"tanh", 1, ClassFloat}, Floor: {"floor", 1, ClassFloat},
	Ceil: {"ceil", 1, ClassFloat}, Trunc: {"trunc", 1, ClassFloat}, Rint: {"rint", 1, ClassFloat},
	RoundAway: {"round", 1, ClassFloat}, Fract: {"fract", 1, ClassFloat}, Sign: {"sign", 1, ClassFloat},
	Saturate: {"saturate", 1, ClassFloat}, Fabs: {"fabs", 1, ClassFloat}, Pow: {"pow", 2, ClassFloat},
	Atan2: {"atan2", 2, ClassFloat}, Fmod: {"fmod", 2, ClassFloat}, Fmin: {"fmin", 2, ClassFloat},
	Fmax: {"fmax", 2, ClassFloat}, Copysign: {"copysign", 2, ClassFloat}, Step: {"step", 2, ClassFloat},
	Fma: {"fma", 3, ClassFloat}, Mix: {"mix", 3, ClassFloat}, Smoothstep: {"smoothstep", 3, ClassFloat},
	Log1p: {"log1p", 1, ClassFloat}, Expm1: {"expm1", 1, ClassFloat}, Erf: {"erf", 1, ClassFloat},
	InvSqrt: {"inv_sqrt", 1, ClassFloat}, RsqrtNear: {"rsqrt_near", 1, ClassFloat}, RcpNear: {"rcp_near", 1, ClassFloat},
	Ilogb: {"ilogb", 1, ClassFloat}, Scalbn: {"scalbn", 2, ClassFloat}, Fence: {"fence", 0, ClassFence}, Now: {"now", 1, ClassNumber},
	Once: {"once", 1, ClassNumber},
	Abs:  {"abs", 1, ClassNumber}, Min: {"min", 2, ClassNumber}, Max: {"max", 2, ClassNumber},
	Clamp: {"clamp", 3, ClassNumber}, Popcount: {"popcount", 1, ClassInt}, Clz: {"clz", 1, ClassInt},
	Ctz: {"ctz", 1, ClassInt}, ReverseBits: {"reverse_bits", 1, ClassInt}, MulHi: {"mulhi", 2, ClassInt},
	IsNaN: {"isnan", 1, ClassTest}, IsInf: {"isinf", 1, ClassTest}, IsFinite: {"isfinite", 1, ClassTest},
	Select: {"select", 3, ClassSelect}, Dot: {"dot", 2, ClassDot}, Length: {"length", 1, ClassDot},
	Distance: {"distance", 2, ClassDot}, Normalize: {"normalize", 1, ClassVector}, Cross: {"cross", 2, ClassVector},
	Any: {"any", 1, ClassBools}, All: {"all", 1, ClassBools},
	SimdSum: {"simd_sum", 1, ClassSimd}, SimdProduct: {"simd_product", 1, ClassSimd},
	SimdMax: {"simd_max", 1, ClassSimd}, SimdMin: {"simd_min", 1, ClassSimd},
	SimdAll: {"simd_all", 1, ClassVote}, SimdAny: {"simd_any", 1, ClassVote},
	SimdPrefixInclusiveSum: {"simd_prefix_inclusive_sum", 1, ClassSimd},
	SimdPrefixExclusiveSum: {"simd_prefix_exclusive_sum", 1, ClassSimd},
	SimdBroadcast:          {"simd_broadcast", 2, ClassLane}, SimdShuffle: {"simd_shuffle", 2, ClassLane},
	SimdShuffleXor: {"simd_shuffle_xor", 2, ClassLane}, SimdShuffleUp: {"simd_shuffle_up", 2, ClassLane},
	SimdShuffleDown: {"simd_shuffle_down", 2, ClassLane}, SimdTurn: {"simd_turn", 1, ClassSimd}, SimdMatch: {"simd_match", 1, ClassSimd}, GroupSame: {"group_same", 1, ClassVote}, GroupAny: {"group_any", 1, ClassVote},
	AtomicAdd: {"atomic_fetch_add_explicit", 2, ClassAtomic}, AtomicSub: {"atomic_fetch_sub_explicit", 2, ClassAtomic},
	AtomicMin: {"atomic_fetch_min_explicit", 2, ClassAtomic}, AtomicMax: {"atomic_fetch_max_explicit", 2, ClassAtomic},
	AtomicAnd: {"atomic_fetch_and_explicit", 2, ClassAtomic}, AtomicOr: {"atomic_fetch_or_explicit", 2, ClassAtomic},
	AtomicXor: {"atomic_fetch_xor_explicit", 2, ClassAtomic}, AtomicExchange: {"atomic_exchange_explicit", 2, ClassAtomic},
	AtomicLoad: {"atomic_load_explicit", 1, ClassAtomic}, AtomicStore: {"atomic_store_explicit", 2, ClassAtomic},
}

// Info describes i.
func (i Intrinsic) Info() IntrinsicInfo { return intrinsics[i] }

func (i Intrinsic) String() string { return intrinsics[i].Name }

// IsSimd reports an operation across a simdgroup, or a group.
func (i Intrinsic) IsSimd() bool { return i >= SimdSum && i <= GroupAny }

// isEngine reports a function that users' kernels cannot call.
func (i Intrinsic) isEngine() bool {
	return i >= Log1p && i <= Scalbn || i == Fence || i == Now || i == Once || i == SimdTurn || i == SimdMatch || i == GroupSame || i == GroupAny
}

// IsAtomic reports an operation on memory.
func (i Intrinsic) IsAtomic() bool { return i >= AtomicAdd && i <= AtomicStore }

var intrinsicNames = func() map[string]Intrinsic {
	m := map[string]Intrinsic{"powr": Pow}
	for i := NoIntrinsic + 1; i < IntrinsicCount; i++ {
		if !i.isEngine() {
			m[intrinsics[i].Name] = i
		}
	}
	return m
}()

// FindIntrinsic looks a built-in function up by name.
func FindIntrinsic(name string) (Intrinsic, bool) {
	i, ok := intrinsicNames[name]
	return i, ok
}

// IntrinsicNames lists the built-in functions.
func IntrinsicNames() []string {
	out := make([]string, 0, len(intrinsicNames))
	for n := range intrinsicNames {
		out = append(out, n)
	}
	return out
}
