// Package norm is TW005: transforms and inverses whose scale factors do not match.
//
// A transform and its inverse give the input back only if together they divide
// by n once: norms that differ, or a hand-written 1/n beside a norm that already
// has it, scale every result.
package norm
