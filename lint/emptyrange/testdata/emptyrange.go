package a

import "github.com/twiddle-go/twiddle/nd"

func open(x *nd.Array) *nd.Array {
	return x.SliceAxis(0, nd.Range{Start: 1}) // want `\[error TW018\] a Range with a Start and no Stop selects nothing: add Stop: nd.End`
}

func openVariable(x *nd.Array, from int) *nd.Array {
	return x.SliceAxis(0, nd.Range{Start: from}) // want `no Stop`
}

func openNegative(x *nd.Array) *nd.Array {
	return x.SliceAxis(0, nd.Range{Start: -3}) // want `no Stop`
}

func openStep(x *nd.Array) *nd.Array {
	return x.SliceAxis(0, nd.Range{Start: 1, Step: 2}) // want `no Stop`
}

func backwards(x *nd.Array) *nd.Array {
	return x.SliceAxis(0, nd.Range{Start: 5, Stop: 3}) // want `a Range from 5 to 3 selects nothing`
}

func same(x *nd.Array) *nd.Array {
	const at = 4
	return x.Slice(nd.Range{Start: at, Stop: at}) // want `a Range from 4 to 4 selects nothing`
}

func fine(x *nd.Array) *nd.Array { return x.SliceAxis(0, nd.Range{Start: 1, Stop: nd.End}) }

func head(x *nd.Array) *nd.Array { return x.SliceAxis(0, nd.Range{Stop: 3}) }

func butLast(x *nd.Array) *nd.Array { return x.SliceAxis(0, nd.Range{Start: 1, Stop: -1}) }

func reversed(x *nd.Array) *nd.Array {
	return x.SliceAxis(0, nd.Range{Start: -1, Stop: nd.End, Step: -1})
}

func down(x *nd.Array) *nd.Array { return x.SliceAxis(0, nd.Range{Start: 5, Stop: 3, Step: -1}) }

func variables(x *nd.Array, a, b int) *nd.Array { return x.SliceAxis(0, nd.Range{Start: a, Stop: b}) }

func zero(x *nd.Array) *nd.Array { return x.SliceAxis(0, nd.Range{}) }
