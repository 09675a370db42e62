// Package ignore is TW000: comments that ignore findings without saying why.
//
// A //twiddle:ignore names codes and gives a reason. Without a reason it
// ignores nothing, and is itself reported.
package ignore
