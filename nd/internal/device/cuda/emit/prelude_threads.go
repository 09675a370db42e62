package emit

// threadParts are about indices and about values that threads exchange.
var threadParts = []part{
	// A Divisor, as the device gets it: quotients of numbers below 2^31.
	{"quotient", "", `TW u32 quotient(u32 n, i64 divisor) { return (u32)(((u64)__umulhi(n, (u32)divisor) + n) >> (divisor >> 32)); }
`},
	// Values of any type that is a whole number of 32-bit words, or smaller.
	{"shuffle", "", `template <class T> TW T shuffle_xor(T v, int by) {
  if constexpr (sizeof(T) < 4) return (T)__shfl_xor_sync(~0u, (u32)v, by);
  else {
    u32 w[sizeof(T) / 4];
    memcpy(w, &v, sizeof(T));
#pragma unroll
    for (int i = 0; i < (int)(sizeof(T) / 4); i++) w[i] = __shfl_xor_sync(~0u, w[i], by);
    memcpy(&v, w, sizeof(T));
    return v;
  }
}
template <class T> TW T shuffle_up(T v, int by) {
  if constexpr (sizeof(T) < 4) return (T)__shfl_up_sync(~0u, (u32)v, by);
  else {
    u32 w[sizeof(T) / 4];
    memcpy(w, &v, sizeof(T));
#pragma unroll
    for (int i = 0; i < (int)(sizeof(T) / 4); i++) w[i] = __shfl_up_sync(~0u, w[i], by);
    memcpy(&v, w, sizeof(T));
    return v;
  }
}
`},
}
