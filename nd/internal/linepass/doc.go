// Package linepass rewrites line programs, from ir to ir: but for one pass the same operations
// on the same numbers, in another arrangement that suits a device. A device applies
// those that it wants, in its order, and neither builds nor changes programs
// itself.
//
//   - JoinOuter joins dimensions of lines that all slots walk as one.
//   - Across gives lines that lie side by side in a buffer transposes of their own.
//   - Planes restates lines of complex numbers as lines of their parts.
//   - Windows lets transforms multiply by a window on the way.
//   - JoinMaps makes one of maps over the same elements.
//   - PairSegments adds up the powers of segments two at a time: other numbers, which a device
//     asks for.
//   - SplitSpectra computes what waits on chip as early as it gets smaller.
//
// A test runs random programs by the reference before and after each.
package linepass
