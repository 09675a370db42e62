package layer

import (
	"fmt"

	"github.com/twiddle-go/twiddle/nd"
)

// GRU is torch.nn.GRU of one layer: x of shape (batch, steps, in), the first state h (batch, size), which may be nil for
// zeros, wx of shape (3 size, in), wh (3 size, size), and bx and bh (3 size), which may be nil. The parts of parameters are for the
// reset gate, the update gate and the new state. The states after each step are (batch, steps, size).
func GRU(x, h, wx, wh, bx, bh *nd.Array) *nd.Array {
	const op = "gru"
	x, states, bad := recurrent(op, 3, x, wx, wh, bx, bh, h)
	if bad != nil {
		return bad
	}
	h, n := states[0], wh.Dim(1)
	list := make([]*nd.Array, x.Dim(1))
	for t := range list {
		a, b := gates(x.SliceAxis(1, nd.Between(t, t+1)).Squeeze(1), n), gates(Linear(h, wh, bh), n)
		reset, update := a(0).Add(b(0)).Sigmoid(), a(1).Add(b(1)).Sigmoid()
		fresh := a(2).Add(reset.Mul(b(2))).Tanh()
		h = fresh.Add(update.Mul(h.Sub(fresh)))
		list[t] = h
	}
	return nd.Stack(1, list...)
}

// LSTM is torch.nn.LSTM of one layer: x of shape (batch, steps, in), the first state h and cell c (batch, size), which may be nil for
// zeros, wx of shape (4 size, in), wh (4 size, size), and bx and bh (4 size), which may be nil. The parts of parameters are for the input
// gate, the forget gate, the cell and the output gate. The states after each step are (batch, steps, size), and cell is the
// last cell.
func LSTM(x, h, c, wx, wh, bx, bh *nd.Array) (states, cell *nd.Array) {
	const op = "lstm"
	x, first, bad := recurrent(op, 4, x, wx, wh, bx, bh, h, c)
	if bad != nil {
		return bad, bad
	}
	h, c = first[0], first[1]
	n := wh.Dim(1)
	list := make([]*nd.Array, x.Dim(1))
	for t := range list {
		g := gates(x.SliceAxis(1, nd.Between(t, t+1)).Squeeze(1).Add(Linear(h, wh, bh)), n)
		c = g(1).Sigmoid().Mul(c).Add(g(0).Sigmoid().Mul(g(2).Tanh()))
		h = g(3).Sigmoid().Mul(c.Tanh())
		list[t] = h
	}
	return nd.Stack(1, list...), c
}

// gates are the parts of a (batch, parts*n).
func gates(a *nd.Array, n int) func(i int) *nd.Array {
	return func(i int) *nd.Array { return a.SliceAxis(-1, nd.Between(i*n, (i+1)*n)) }
}

// recurrent checks what a recurrent layer is given, and computes what its steps add from x, in one product for all steps.
func recurrent(op string, parts int, x, wx, wh, bx, bh *nd.Array, states ...*nd.Array) (*nd.Array, []*nd.Array, *nd.Array) {
	if bad := usable(op, x, wx, wh); bad != nil {
		return nil, nil, bad
	}
	if x.NDim() != 3 || wx.NDim() != 2 || wh.NDim() != 2 || wx.Dim(1) != x.Dim(2) || wh.Dim(0) != parts*wh.Dim(1) || wx.Dim(0) != wh.Dim(0) || x.Dim(1) == 0 {
		return nil, nil, nd.Fail("layer", op, fmt.Errorf("x of shape %v, wx %v and wh %v: want (batch, steps, in), (%d size, in) and (%d size, size)",
			x.Shape(), wx.Shape(), wh.Shape(), parts, parts), x, wx, wh)
	}
	full := make([]*nd.Array, len(states))
	for i, s := range states {
		if s == nil {
			s = nd.Zeros(x.DType(), x.Dim(0), wh.Dim(1)).Beside(x)
		}
		if bad := usable(op, s); bad != nil {
			return nil, nil, bad
		}
		if s.NDim() != 2 || s.Dim(0) != x.Dim(0) || s.Dim(1) != wh.Dim(1) {
			return nil, nil, nd.Fail("layer", op, fmt.Errorf("a first state of shape %v: want (%d, %d)", s.Shape(), x.Dim(0), wh.Dim(1)), x, s)
		}
		full[i] = s
	}
	if bh != nil {
		if bad := usable(op, bh); bad != nil {
			return nil, nil, bad
		}
	}
	from := Linear(x, wx, bx)
	if bad := usable(op, from); bad != nil {
		return nil, nil, bad
	}
	return from, full, nil
}
