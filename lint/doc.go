// Package lint is a coach for code that uses Twiddle's arrays: it finds the
// ways in which people new to lazy arrays lose speed and correctness, says
// what to do instead, and does it where the rewrite is certain.
//
// Each rule is a go/analysis pass with a stable code, in a folder of its own.
// The passes run as
//
//	twiddle lint ./...
//	go vet -vettool=$(which twiddle) ./...
//
// and in anything else that takes analyzers; docs/LINT.md shows how.
//
// A finding is an error (the program is wrong, or measures nothing), a warning
// (it works, and wastes time or digits), or, with teaching on, an idiom
// explained where it is first met. A comment above or behind a line silences a
// code there, with a reason:
//
//	//twiddle:ignore TW007 the mirror image is plotted too
package lint
