package main

import (
	"fmt"

	"github.com/mmcloughlin/avo/reg"
)

// elementaryKernels makes the kernels of the elementary functions.
func elementaryKernels(i isa) {
	for _, f := range []struct {
		name    string
		single  func(lanes, reg.Register) reg.Register
		double  func(lanes, reg.Register) reg.Register
		guarded bool
	}{
		{"exp", lanes.exp32, lanes.exp64, false},
		{"expm1", lanes.expm132, lanes.expm164, false},
		{"log", lanes.log32, lanes.log64, false},
		{"log1p", lanes.log1p32, lanes.log1p64, false},
		{"sin", lanes.sin32, lanes.sin64, true},
		{"cos", lanes.cos32, lanes.cos64, true},
		{"tan", lanes.tan32, lanes.tan64, true},
		{"tanh", lanes.tanh32, lanes.tanh64, false},
		{"sigmoid", lanes.sigmoid32, lanes.sigmoid64, false},
		{"erf", lanes.erf32, nil, false},
	} {
		doc := fmt.Sprintf("for i := range dst { dst[i] = %s(x[i]) }", f.name)
		if f.guarded {
			doc += ", up to a vector with too large an argument: it returns how far it got"
		}
		k := kernel{isa: i, doc: doc, lanes: i.bytes / 8, guarded: f.guarded}
		k.name, k.outType, k.outSize, k.inputs = f.name+"F32", "float32", 4, []input{f32.in("x")}
		k.body = func(c *code, in []reg.Register) reg.Register {
			l := lanes{i, c.giveUp}
			return l.narrow(f.single(l, l.widen(in[0])))
		}
		k.generate()
		if f.double == nil {
			continue
		}
		k.name, k.outType, k.outSize, k.inputs = f.name+"F64", "float64", 8, []input{f64.in("x")}
		k.body = func(c *code, in []reg.Register) reg.Register {
			return f.double(lanes{i, c.giveUp}, in[0])
		}
		k.generate()
	}
	for _, form := range []struct {
		name   string
		inputs []input
		doc    string
	}{
		{"VV", []input{f32.in("x"), f32.in("y")}, "x[i], y[i]"},
		{"VS", []input{f32.in("x"), f32.scalar("y")}, "x[i], y"},
		{"SV", []input{f32.scalar("x"), f32.in("y")}, "x, y[i]"},
	} {
		k := kernel{
			isa: i, name: "pow" + form.name + "F32", lanes: i.bytes / 8, guarded: true,
			doc:     fmt.Sprintf("for i := range dst { dst[i] = pow(%s) }, up to a vector with an infinity or NaN: it returns how far it got", form.doc),
			outType: "float32", outSize: 4, inputs: form.inputs,
			body: func(c *code, in []reg.Register) reg.Register {
				l := lanes{i, c.giveUp}
				return l.narrow(l.pow32(l.widen(in[0]), l.widen(in[1])))
			},
		}
		k.generate()
	}
}
