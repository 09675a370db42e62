// Package zarr writes and reads arrays of Zarr version 3, as much of it as
// results of archives need: groups, arrays on a regular grid of chunks, numbers
// in little-endian order compressed by zstd, names of dimensions, and metadata
// of a group consolidated, so that xarray opens it as a dataset.
//
// An array is described by [Array]. Its chunks are encoded and decoded one by
// one; where the bytes go is up to the caller.
package zarr
