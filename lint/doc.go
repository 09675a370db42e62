// Package lint finds slow and wrong code that uses Twiddle's arrays, says what to do
// instead, and applies the fix where the rewrite is certain.
//
// Each rule is a go/analysis pass with a stable code, in its own folder. The passes run as
//
//	twiddle lint ./...
//	go vet -vettool=$(which twiddle) ./...
//
// and in other drivers of go/analysis passes; docs/LINT.md shows how.
//
// A finding is an error (the program is wrong, or its benchmark measures nothing), a
// warning (it works, and wastes time or precision), or, with teaching on, an explanation
// of an idiom at its first use. A comment with a reason, on the line or above it,
// suppresses a code there:
//
//	//twiddle:ignore TW007 the mirror image is plotted too
package lint
