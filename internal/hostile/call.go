package hostile

import (
	"context"
	"flag"
	"fmt"
	"log/slog"
	"maps"
	"math/rand/v2"
	"os"
	"reflect"
	"runtime/debug"
	"slices"
	"strings"
	"time"

	"github.com/twiddle-go/twiddle/nd"
)

// target is something to call.
type target struct {
	name string
	fn   reflect.Value
	recv reflect.Type // of a method: the first argument
}

// Main calls functions, and the methods of types, as its flags say. It writes
// the call it is about to make to a file, so that whoever started it knows what
// ended the process, and a line for each failure to standard output.
func Main(functions map[string]any, types []reflect.Type) {
	seed := flag.Uint64("seed", 1, "of all values")
	from := flag.Int("from", 0, "the first call")
	count := flag.Int("count", 1000, "how many calls")
	only := flag.String("only", "", "names of functions must contain this")
	deadline := flag.Duration("deadline", 20*time.Second, "of one call")
	current := flag.String("current", os.DevNull, "file that names the call being made")
	skip := flag.String("skip", "", "functions not to call, separated by commas")
	flag.Parse()
	limitMemory()
	slog.SetDefault(slog.New(slog.DiscardHandler)) // callbacks that panic are logged, thousands of times
	nd.CPU().SetMemoryLimit(256 << 20)

	targets := targetsOf(functions, types, *only, strings.Split(*skip, ","))
	if len(targets) == 0 {
		fmt.Println("no function has that name")
		os.Exit(2)
	}
	file, err := os.Create(*current)
	if err != nil {
		fmt.Println(err)
		os.Exit(2)
	}
	for i := *from; i < *from+*count; i++ {
		t := targets[i%len(targets)]
		d := &drawer{Rand: rand.New(rand.NewPCG(*seed, uint64(i)))}
		args := t.arguments(d)
		line := fmt.Sprintf("call %d: %s(%s)\n", i, t.name, describe(args))
		if len(line) > 4000 {
			line = line[:4000] + "\n"
		}
		_ = file.Truncate(0)
		_, _ = file.WriteAt([]byte(line), 0)
		done := make(chan string, 1)
		go func() { done <- t.call(args) }()
		select {
		case failure := <-done:
			if failure != "" {
				fmt.Printf("PANIC %s%s\n", line, failure)
			}
		case <-time.After(*deadline):
			fmt.Printf("SLOW %s", line)
			os.Exit(3)
		}
	}
	fmt.Printf("made %d calls of %d functions\n", *count, len(targets))
}

// targetsOf is the functions and methods in a fixed order.
func targetsOf(functions map[string]any, types []reflect.Type, only string, skip []string) []target {
	var all []target
	add := func(t target) {
		if strings.Contains(t.name, only) && !slices.Contains(skip, t.name) && !t.wantsOpaque() {
			all = append(all, t)
		}
	}
	for _, name := range slices.Sorted(maps.Keys(functions)) {
		add(target{name: name, fn: reflect.ValueOf(functions[name])})
	}
	seen := map[reflect.Type]bool{}
	for _, t := range types {
		if t.Kind() == reflect.Interface || seen[t] || isOpaque(t) || strings.Contains(t.PkgPath(), "/internal/") {
			continue
		}
		seen[t] = true
		p := reflect.PointerTo(t)
		for i := range p.NumMethod() {
			m := p.Method(i)
			recv := p
			if v, ok := t.MethodByName(m.Name); ok {
				m, recv = v, t
			}
			pkg := strings.TrimPrefix(t.PkgPath(), module+"/")
			add(target{name: pkg + "." + t.Name() + "." + m.Name, fn: m.Func, recv: recv})
		}
	}
	return all
}

// isOpaque reports a type of which only functions make values that mean
// something: the methods of its zero value promise nothing. Devices, streams and
// arrays are drawn as functions made them.
func isOpaque(t reflect.Type) bool {
	if t == arrayType.Elem() || t == deviceType.Elem() || t == streamType.Elem() || t.Kind() != reflect.Struct {
		return false
	}
	if t.NumField() == 0 || slices.Contains(made, t.String()) {
		return t.NumField() > 0
	}
	for i := range t.NumField() {
		if f := t.Field(i); f.IsExported() && !f.Anonymous {
			return false
		}
	}
	return true
}

// made are types with exported fields that are results and not options.
var made = []string{"audio.File", "butterfly.Network", "butterfly.Quantized", "nd.Plan", "butterfly.Matrix", "nd.OpError"}

// wantsOpaque reports a parameter of which no value can be drawn.
func (t target) wantsOpaque() bool {
	for i := range t.fn.Type().NumIn() {
		if in := t.fn.Type().In(i); in.Kind() == reflect.Pointer && isOpaque(in.Elem()) {
			return true
		}
	}
	return false
}

func (t target) arguments(d *drawer) []reflect.Value {
	typ := t.fn.Type()
	n := typ.NumIn()
	args := make([]reflect.Value, 0, n)
	for i := range n {
		in := typ.In(i)
		if typ.IsVariadic() && i == n-1 {
			for range d.IntN(3) {
				args = append(args, d.value(in.Elem()))
			}
			break
		}
		args = append(args, d.value(in))
	}
	if t.recv != nil && t.recv.Kind() == reflect.Pointer && args[0].IsNil() {
		// A nil receiver is the caller's own doing, but for Arrays, which
		// functions give in place of an error.
		switch t.recv {
		case arrayType:
		case deviceType:
			args[0] = reflect.ValueOf(nd.CPU())
		case streamType:
			args[0] = reflect.ValueOf(nd.CPU().Stream())
		default:
			args[0] = reflect.New(t.recv.Elem())
		}
	}
	return args
}

// call is what went wrong, or nothing. Arrays that come out are evaluated.
func (t target) call(args []reflect.Value) (failure string) {
	defer func() {
		if r := recover(); r != nil && r != any(callersPanic) && !strings.Contains(fmt.Sprint(r), callersPanic) {
			failure = fmt.Sprintf("%v\n%s", r, debug.Stack())
		}
	}()
	results := t.fn.Call(args)
	if slices.ContainsFunc(args, isGiant) {
		return "" // a sum over it would take days
	}
	for _, out := range results {
		evaluate(out, 2)
	}
	return ""
}

func isGiant(v reflect.Value) bool {
	switch {
	case v.Type() == arrayType:
		return v.Interface().(*nd.Array).Len() > 1<<30
	case v.Kind() == reflect.Slice:
		for i := range v.Len() {
			if isGiant(v.Index(i)) {
				return true
			}
		}
	case v.Kind() == reflect.Struct:
		for i := range v.NumField() {
			if v.Type().Field(i).IsExported() && isGiant(v.Field(i)) {
				return true
			}
		}
	}
	return false
}

// evaluate evaluates the arrays in a result, if they are small, and goes
// through an iterator for a few steps.
func evaluate(v reflect.Value, depth int) {
	switch {
	case v.Type() == arrayType:
		a := v.Interface().(*nd.Array)
		_ = a.Err()
		if a.Len() <= 1<<16 {
			ctx, cancel := context.WithTimeout(context.Background(), 5*time.Second)
			defer cancel()
			_ = nd.Eval(ctx, a) //twiddle:ignore TW003 any error will do, a panic will not
		}
	case depth == 0:
	case v.Kind() == reflect.Slice:
		for i := range min(v.Len(), 4) {
			evaluate(v.Index(i), depth-1)
		}
	case v.Kind() == reflect.Struct:
		for i := range v.NumField() {
			if v.Type().Field(i).IsExported() {
				evaluate(v.Field(i), depth-1)
			}
		}
	case v.Kind() == reflect.Func && !v.IsNil() && v.Type().CanSeq2():
		n := 0
		for x := range v.Seq2() {
			evaluate(x, depth-1)
			if n++; n == 3 {
				break
			}
		}
	}
}

func describe(args []reflect.Value) string {
	list := make([]string, len(args))
	for i, a := range args {
		switch {
		case a.Kind() == reflect.Func:
			list[i] = fmt.Sprintf("func nil=%t", a.IsNil())
		case a.Type() == arrayType:
			list[i] = a.Interface().(*nd.Array).String()
		case a.Type() == contextType:
			list[i] = fmt.Sprintf("ctx nil=%t", a.IsNil())
		default:
			list[i] = fmt.Sprintf("%+v", a)
		}
		if len(list[i]) > 600 {
			list[i] = list[i][:600] + "..."
		}
	}
	return strings.Join(list, ", ")
}
