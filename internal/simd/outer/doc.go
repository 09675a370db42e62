// Package outer has products of all pairs of channels, added over windows: the
// cross-spectra of a correlation. Eight bins are side by side, so that neither
// factors nor products have to be turned around, as for a product of matrices
// for each bin.
package outer

//go:generate go -C ../_gen run ./outer
