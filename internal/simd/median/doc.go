// Package median has the median of a window that slides over samples, and medians of columns.
package median

//go:generate go -C ../_gen run ./median
