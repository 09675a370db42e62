package linalg

import "fmt"

// ShapeError is an argument whose shape does not suit the operation.
type ShapeError struct {
	Name  string
	Shape []int
	Want  string
}

func (e *ShapeError) Error() string {
	return fmt.Sprintf("%s has shape %v: want %s", e.Name, e.Shape, e.Want)
}

// In the errors below, Matrix is the place of the matrix among the leading
// axes; it is empty where there are none.

// NotFiniteError is a NaN or an infinity in an argument.
type NotFiniteError struct {
	Name        string
	Matrix      []int
	Row, Column int
}

func (e *NotFiniteError) Error() string {
	return fmt.Sprintf("%s%s is not finite at row %d, column %d", of(e.Matrix), e.Name, e.Row, e.Column)
}

// SingularError reports a zero pivot: the matrix has no inverse.
type SingularError struct {
	Matrix []int
	Pivot  int // counted from 0
}

func (e *SingularError) Error() string {
	return fmt.Sprintf("%ssingular: pivot %d is zero", of(e.Matrix), e.Pivot)
}

// NotPositiveDefiniteError is a pivot that is not positive.
type NotPositiveDefiniteError struct {
	Matrix []int
	Pivot  int // counted from 0
}

func (e *NotPositiveDefiniteError) Error() string {
	return fmt.Sprintf("%snot positive definite: pivot %d is not positive", of(e.Matrix), e.Pivot)
}

// RankError is a matrix with less rank than the operation needs.
type RankError struct {
	Matrix []int
	Rank   int // what it has for certain
	Want   int
}

func (e *RankError) Error() string {
	return fmt.Sprintf("%srank %d: want %d", of(e.Matrix), e.Rank, e.Want)
}

// ConvergenceError is an iteration that ended before it met its tolerance.
type ConvergenceError struct {
	Matrix     []int
	Iterations int     // of eigenvalues: for one of them
	Reached    float64 // the measure that the tolerance bounds
	Tolerance  float64 // 0 for eigenvalues, which have no measure
}

func (e *ConvergenceError) Error() string {
	if e.Tolerance == 0 {
		return fmt.Sprintf("%sno convergence after %d iterations for an eigenvalue", of(e.Matrix), e.Iterations)
	}
	return fmt.Sprintf("%sno convergence after %d iterations: reached %.2g, want %.2g", of(e.Matrix), e.Iterations, e.Reached, e.Tolerance)
}

// of names a matrix of a batch.
func of(matrix []int) string {
	if len(matrix) == 0 {
		return ""
	}
	return fmt.Sprintf("matrix %v: ", matrix)
}
