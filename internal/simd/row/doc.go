// Package row has what small dense factorisations in float64 are made of: the
// operations on one or two rows of a matrix that lies in a cache.
package row
