package main

import (
	"fmt"

	. "github.com/mmcloughlin/avo/operand"
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
		if i.bytes == 32 {
			k.unroll, k.woven = atOnce(k.name)
		}
		body := func(f func(lanes, reg.Register) reg.Register) func(c *code, in []reg.Register) reg.Register {
			return func(c *code, in []reg.Register) reg.Register {
				l := lanes{i, c.giveUp}
				return l.narrow(f(l, l.widen(in[0])))
			}
		}
		k.generateBoth(body, f.single)
		if f.double == nil {
			continue
		}
		k.name, k.outType, k.outSize, k.inputs = f.name+"F64", "float64", 8, []input{f64.in("x")}
		if i.bytes == 32 {
			k.unroll, k.woven = atOnce(k.name)
		}
		body = func(f func(lanes, reg.Register) reg.Register) func(c *code, in []reg.Register) reg.Register {
			return func(c *code, in []reg.Register) reg.Register { return f(lanes{i, c.giveUp}, in[0]) }
		}
		k.generateBoth(body, f.double)
	}
	const upTo = "up to a vector with %s: it returns how far it got"
	twoOperands(i, f32, "pow", fmt.Sprintf(upTo, "an infinity or NaN"), ofSingles(lanes.pow32), lanes.powShort)
	twoOperands(i, f64, "pow", fmt.Sprintf(upTo, "a subnormal x, an infinity or NaN"), lanes.pow64, nil)
	twoOperands(i, f32, "atan2", "", ofSingles(lanes.atan232), nil)
	twoOperands(i, f64, "atan2", "", lanes.atan264, nil)
}

// ofSingles is a function of float64 for operands that are float32.
func ofSingles(f func(l lanes, x, y reg.Register) reg.Register) func(l lanes, x, y reg.Register) reg.Register {
	return func(l lanes, x, y reg.Register) reg.Register { return l.narrow(f(l, l.widen(x), l.widen(y))) }
}

// twoOperands makes the three forms of a function. One that says up to where
// it goes is guarded. Short, if there is one, is the function for positive and finite operands.
func twoOperands(i isa, f float, name, upTo string, body, short func(l lanes, x, y reg.Register) reg.Register) {
	for _, form := range []struct {
		name   string
		inputs []input
		doc    string
	}{
		{"VV", []input{f.in("x"), f.in("y")}, "x[i], y[i]"},
		{"VS", []input{f.in("x"), f.scalar("y")}, "x[i], y"},
		{"SV", []input{f.scalar("x"), f.in("y")}, "x, y[i]"},
	} {
		k := kernel{
			isa: i, name: name + form.name + f.name, lanes: i.bytes / 8, guarded: upTo != "",
			doc:     fmt.Sprintf("for i := range dst { dst[i] = %s(%s) }", name, form.doc),
			outType: f.goType, outSize: f.size, inputs: form.inputs,
			body: func(c *code, in []reg.Register) reg.Register { return body(lanes{i, c.giveUp}, in[0], in[1]) },
		}
		if k.guarded {
			k.doc += ", " + upTo
		}
		if short != nil && !i.neon {
			k.unroll, k.woven = i.bytes/16, true
			k.part = func(c *code, in []reg.Register) reg.Register { return short(lanes{isa: i}, in[0], in[1]) }
			k.special = func(in []Op, label string) { lanes{isa: i}.powSpecial(in, k.unroll, label) }
		}
		k.generate()
	}
}

// generateBoth makes a kernel of a function, and of its short form, if it has one.
func (k kernel) generateBoth(body func(f func(lanes, reg.Register) reg.Register) func(c *code, in []reg.Register) reg.Register, whole func(lanes, reg.Register) reg.Register) {
	k.body = body(whole)
	if s, ok := ordinary[k.name]; ok && k.isa.bytes == 32 {
		k.part = body(s.body)
		k.special = func(in []Op, label string) { s.special(lanes{isa: k.isa}, in[0].(Mem), label) }
	}
	k.generate()
}

// ordinary are functions that are shorter for numbers that are not special, of
// which AVX2 asks for two vectors at once.
var ordinary = map[string]struct {
	body    func(lanes, reg.Register) reg.Register
	special func(l lanes, m Mem, label string)
}{
	"logF32":   {lanes.logShort, lanes.notPositive},
	"expF64":   {lanes.expShort, lanes.notModest},
	"log1pF32": {lanes.log1pShort, lanes.notAboveMinusOne},
}

// atOnce is how many vectors of a function a loop of AVX2 takes, whose instructions then come
// in turns: as many as are faster and have room in sixteen registers.
func atOnce(name string) (vectors int, woven bool) {
	switch name {
	case "expF64", "expm1F64", "logF64", "tanhF64", "sigmoidF64", "erfF32", "tanhF32", "sigmoidF32", "logF32":
		return 2, true
	case "expF32", "expm1F32", "log1pF32":
		return 2, false
	}
	return 1, false
}
