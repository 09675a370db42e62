// Package peak finds the maxima of a line and how far they stand out.
//
// In noise every comparison is a coin toss that a processor guesses wrong half of
// the time. So nothing here branches on samples: maxima are what is left of vectors
// of samples when the others are taken out, and what was overtaken is taken out of
// lists of maxima in the same way.
package peak
