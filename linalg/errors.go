package linalg

import "fmt"

// ShapeError is an argument whose dimensions do not suit the operation.
type ShapeError struct {
	Name  string
	Shape []int
	Want  string
}

func (e *ShapeError) Error() string {
	return fmt.Sprintf("%s has shape %v: want %s", e.Name, e.Shape, e.Want)
}
