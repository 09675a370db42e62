// Package learn trains parameters, arrays of package nd, to make a loss small.
//
//	t := &learn.Trainer{
//		Params:    []learn.Param{{Name: "w", Value: nd.Normal(1, nd.Float64, 8)}},
//		Loss:      func(_ int, p []*nd.Array) *nd.Array { return p[0].Sub(target).AbsSquared().Sum() },
//		Optimizer: learn.Adam{},
//		Rate:      learn.Constant(0.1),
//	}
//	err := t.Run(ctx, 100, learn.LogTo(os.Stdout))
//
// # Words
//
// A parameter is a named array. A step is one change of all parameters by an optimizer,
// which keeps arrays between steps, its state. The rate is the learning rate; a schedule
// returns it for every step. An event is the report of a step: its loss, rate and time.
//
// # Rules
//
// A step is a graph like any other: gradients, clipping and the optimizer's arithmetic
// are fused and evaluated together. The only random numbers are those that the loss
// draws from its keys, so the same parameters and loss give the same bits on one device.
// A Trainer that was saved and loaded continues with the same bits as an uninterrupted
// one.
package learn
