// Package rule is what the passes of twiddle lint have in common: a stable
// code, a kind, a lesson, and the way findings are reported, ignored and kept
// out of generated files whichever program drives the analysis.
package rule
