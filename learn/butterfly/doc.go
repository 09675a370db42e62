// Package butterfly learns fast transforms: it finds products of sparse
// butterfly factors that equal a dense matrix, by gradients from a random
// start or by factorisation without any.
//
// # Words
//
// A block is a 2x2 matrix that mixes a pair of elements. A factor is n/2
// blocks, for pairs that are one span apart, and so a sparse n x n matrix. A
// network is a product of factors between two fixed orders; its form is all of
// it but the numbers. A form is single, with log2(n) factors of rising spans,
// as a radix-2 FFT has them, or double: the spans fall and then rise again, a
// product of two butterflies that share their middle factor.
//
// # How a network is grown
//
// Training all factors at once (Joint) works from random numbers for single
// forms; in double forms it ends in a local minimum for all but the shortest
// lengths. Growing works for both. Its first step is to write the matrix T as a
// product of one factor (a single form) or two (a double one) and a matrix of
// two dense diagonal blocks,
//
//	T = S * diag(T1, T2)    or    T = S * diag(T1, T2) * R
//
// with S, R, T1 and T2 random at first and trained by L-BFGS to the last digit.
// Of T1 and T2 each is a target of half the size for the next step. In a single
// form every step is a set of independent approximations by rank-one matrices,
// whose only minima are global ones; in a double form it is a set of joint
// diagonalisations of 2x2 matrices, which in practice rarely stops elsewhere,
// and is then tried again from other random numbers. A step costs O(n^2).
package butterfly
