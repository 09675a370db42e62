package nd

// Declarations that the real package does not have yet. When it has, they
// move to nd.go, where they are compared with it.

func Grad(loss *Array, wrt ...*Array) []*Array
func ValueAndGrad(loss *Array, wrt ...*Array) (*Array, []*Array)
