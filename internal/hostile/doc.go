// Package hostile calls every exported function and method of the public
// packages with values that nobody expects: sizes near 2^52 and 2^63, NaN, nil
// contexts and functions, arrays that carry errors, callbacks that panic. A call
// gives a result or an error, within a deadline; it neither panics nor ends the
// process.
//
// The functions are found in the source when the test runs, so that a new one is
// called without being listed anywhere: Program writes a program with all of
// them, which the test builds and runs as a process of its own, because some
// failures take the process along.
package hostile
