// Package dropped is TW003: errors of evaluation that nobody looks at.
//
// Operations report their mistakes through the arrays they give, and the error
// surfaces where the array is evaluated. Dropping it there loses every mistake
// of the whole computation at once.
package dropped
