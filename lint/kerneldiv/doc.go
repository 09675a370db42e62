// Package kerneldiv is TWK01: integer divisions in kernels by values that are not constant.
//
// No GPU divides integers in hardware: each division is a routine of tens of
// instructions. Grids of two or three dimensions, template constants and shifts
// do without.
package kerneldiv
