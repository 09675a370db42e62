// Package churn is TW004: kernels and plans that are made again in every turn of a loop.
//
// A plan is made once per length and a kernel is compiled once per source. Making
// them inside a loop repeats the work, or fills the cache with copies that
// differ in a number.
package churn
