// Package nograd is TW014: gradients with respect to arrays that the loss does not depend on.
//
// Grad of a loss with respect to an array that is not behind it is zero everywhere:
// most often the array was rebuilt, or its gradient stopped, on the way.
package nograd
