// Package arm64 turns what the generators describe into NEON.
//
// A generator describes a kernel once, in avo's terms: virtual registers, loads
// and stores, arithmetic, shuffles, counters and jumps. For amd64 avo prints it.
// For arm64 the same description is made with vectors of 16 bytes, avo gives it
// registers, and this package translates it instruction by instruction. The
// vocabulary is what the 128-bit forms of AVX2 have in common with NEON, and a
// few operations of NEON's own that [Op] adds. An instruction outside of it is an
// error of the generator.
//
// What differs between the machines is dealt with here, not in the generators:
//
//   - arithmetic has no memory operands: they are loaded first, and constants
//     that a loop uses stay in registers the kernel does not need, several to a
//     register where instructions can pick an element;
//   - addresses have at most an index or a displacement: scaled indices that do
//     not change are worked out once, sums are reused;
//   - there are twice as many registers: words of the stack become registers;
//   - flags are set only by instructions whose flags are read.
//
// Maximum and minimum are those of NEON: NaN wins and -0 is below +0, which is
// what Go's max and min are and what amd64 needs several instructions for.
// Comparisons give lanes of ones or zeros, and blends select by bits.
//
// Go's assembler has no names for most of NEON's arithmetic. Such instructions
// are encoded, with their text in a comment; a test decodes all of them again.
package arm64
