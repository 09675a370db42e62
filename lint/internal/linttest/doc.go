// Package linttest tests passes: against sources with "// want" comments, and
// against sources that are broken on purpose.
//
// The sources import stubs of Twiddle's packages that have declarations only,
// so that a test takes a fraction of a second; a test here compares the stubs
// with the real packages.
package linttest
