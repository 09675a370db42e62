// Package recipe says how a transform length is factored.
//
// A recipe is a value: a small tree that can be printed, compared, written to
// a file and parsed again. It knows lengths and radices and nothing about
// memory or instructions; package transform builds something executable from
// it. [For] picks one by a deterministic cost model, [Candidates] lists the
// best few for someone who wants to measure.
//
// The words: a pass is one sweep over the data with butterflies of one radix;
// a turn exchanges the roles of columns and rows between two passes (a
// transpose with twiddles), so that every pass runs across neighbouring
// elements.
package recipe
