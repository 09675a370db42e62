package hostile

import (
	"bytes"
	"context"
	"errors"
	"math"
	"math/rand/v2"
	"reflect"
	"strings"
	"time"

	"github.com/twiddle-go/twiddle/nd"
)

// drawer makes values, hostile ones as often as plain ones.
type drawer struct {
	*rand.Rand
	depth int
}

var integers = []int64{
	0, 1, -1, 2, 3, 5, 7, 8, 13, 16, 64, 100, 255, 1000, -2, -7,
	math.MaxInt64, math.MinInt64, math.MaxInt64 - 1, math.MinInt64 + 1, 1 << 52, 1<<53 + 1, 1 << 60, 1 << 62, -1 << 62,
	math.MaxInt32, math.MaxInt32 + 1, math.MinInt32, math.MaxUint32, 1 << 36, 1 << 40, math.MaxInt64 / 8, math.MaxInt64/16 + 1,
}

var floats = []float64{
	0, math.Copysign(0, -1), 1, -1, 0.5, 0.25, 2, 3, 10, 440, 8000, 44100, 1e-3,
	math.NaN(), math.Inf(1), math.Inf(-1), math.MaxFloat64, -math.MaxFloat64, math.SmallestNonzeroFloat64, 1e18, 9.3e18, 1e300,
}

var texts = []string{
	"", "hann", "kaiser:8", "tukey:NaN", "valid", "full", "\x00", "../../etc/passwd", "%s%n", "é\xff", "1e999", "n=4", "cpu", "cpu:9999999999999999999",
	strings.Repeat("x", 10000), "8x8x8", "\x1b[31m", "<script>",
}

// integer is mostly small.
func (d *drawer) integer() int64 {
	if d.IntN(2) == 0 {
		return int64(d.IntN(12))
	}
	return integers[d.IntN(len(integers))]
}

func (d *drawer) float() float64 { return floats[d.IntN(len(floats))] }

var (
	arrayType   = reflect.TypeFor[*nd.Array]()
	contextType = reflect.TypeFor[context.Context]()
	errorType   = reflect.TypeFor[error]()
	dtypeType   = reflect.TypeFor[nd.DType]()
	deviceType  = reflect.TypeFor[*nd.Device]()
	streamType  = reflect.TypeFor[*nd.Stream]()
	timeType    = reflect.TypeFor[time.Time]()
	spanType    = reflect.TypeFor[time.Duration]()
	axisType    = reflect.TypeFor[nd.AxisChoice]()
	reflectType = reflect.TypeFor[reflect.Type]()
)

var errHostile = errors.New("hostile: an error of the caller's")

// value draws one of a type.
func (d *drawer) value(t reflect.Type) reflect.Value {
	d.depth++
	defer func() { d.depth-- }()
	switch t {
	case arrayType:
		return reflect.ValueOf(d.array())
	case contextType:
		return d.context()
	case dtypeType:
		return reflect.ValueOf([]nd.DType{nd.Float32, nd.Float64, nd.Complex64, nd.Complex128, nd.Int64, nd.Bool, nd.Int16, nd.Float16, 0, 200}[d.IntN(10)])
	case deviceType:
		if d.IntN(4) == 0 {
			return reflect.Zero(t)
		}
		return reflect.ValueOf(nd.CPU())
	case streamType:
		if d.IntN(4) == 0 {
			return reflect.Zero(t)
		}
		return reflect.ValueOf(nd.CPU().Stream())
	case timeType:
		return reflect.ValueOf(time.Unix(d.integer()%1e12, 0))
	case spanType: // a function that is told to take a minute takes a minute
		return reflect.ValueOf([]time.Duration{0, 1, -1, time.Millisecond, math.MinInt64}[d.IntN(5)])
	case axisType:
		if d.IntN(2) == 0 {
			return reflect.Zero(t)
		}
		return reflect.ValueOf(nd.Axis(int(d.integer())))
	case reflectType:
		return reflect.ValueOf(reflect.TypeFor[int]())
	}
	v := reflect.New(t).Elem()
	if d.depth > 8 {
		return v
	}
	switch t.Kind() {
	case reflect.Bool:
		v.SetBool(d.IntN(2) == 0)
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64:
		v.SetInt(d.integer())
	case reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64, reflect.Uintptr:
		v.SetUint(uint64(d.integer()))
	case reflect.Float32, reflect.Float64:
		v.SetFloat(d.float())
	case reflect.Complex64, reflect.Complex128:
		v.SetComplex(complex(d.float(), d.float()))
	case reflect.String:
		v.SetString(texts[d.IntN(len(texts))])
	case reflect.Slice:
		if n := d.IntN(6); n > 0 {
			n = []int{0, 1, 2, 3, 17}[n-1]
			v.Set(reflect.MakeSlice(t, n, n))
			for i := range n {
				v.Index(i).Set(d.value(t.Elem()))
			}
		}
	case reflect.Array:
		for i := range t.Len() {
			v.Index(i).Set(d.value(t.Elem()))
		}
	case reflect.Struct:
		for i := range t.NumField() {
			if t.Field(i).IsExported() && d.IntN(3) > 0 {
				v.Field(i).Set(d.value(t.Field(i).Type))
			}
		}
	case reflect.Pointer:
		if isOpaque(t.Elem()) { // nobody made one
			return v
		}
		if d.IntN(4) > 0 {
			v.Set(reflect.New(t.Elem()))
			v.Elem().Set(d.value(t.Elem()))
		}
	case reflect.Map:
		if d.IntN(3) > 0 {
			v.Set(reflect.MakeMap(t))
			for range d.IntN(3) {
				if k := d.value(t.Key()); k.Comparable() {
					v.SetMapIndex(k, d.value(t.Elem()))
				}
			}
		}
	case reflect.Func:
		if d.IntN(3) > 0 {
			v.Set(d.function(t))
		}
	case reflect.Interface:
		d.face(v, t)
	}
	return v
}

// function is one that gives values of its own, or panics.
func (d *drawer) function(t reflect.Type) reflect.Value {
	panics, seed := d.IntN(4) == 0, d.Uint64()
	return reflect.MakeFunc(t, func([]reflect.Value) []reflect.Value {
		if panics {
			panic(callersPanic)
		}
		// A function may be called from any goroutine: it draws by itself.
		own := &drawer{Rand: rand.New(rand.NewPCG(seed, 1)), depth: 5}
		out := make([]reflect.Value, t.NumOut())
		for i := range out {
			out[i] = own.value(t.Out(i))
		}
		return out
	})
}

// callersPanic is what callbacks panic with. A call may hand it on to its caller,
// whose panic it is.
const callersPanic = "hostile: the caller's function panics"

// face sets an interface to something that has its methods.
func (d *drawer) face(v reflect.Value, t reflect.Type) {
	switch {
	case t == errorType && d.IntN(2) == 0:
	case t == errorType:
		v.Set(reflect.ValueOf(errHostile))
	case t.NumMethod() == 0 && d.IntN(5) == 0: // nil
	case t.NumMethod() == 0:
		kinds := []reflect.Type{reflect.TypeFor[int](), reflect.TypeFor[float64](), reflect.TypeFor[string](), reflect.TypeFor[[]float64](), reflect.TypeFor[struct{}](), reflect.TypeFor[complex64](), arrayType}
		v.Set(d.value(kinds[d.IntN(len(kinds))]))
	case reflect.TypeFor[*bytes.Buffer]().Implements(t):
		b := make([]byte, d.IntN(200))
		for i := range b {
			b[i] = byte(d.Uint32())
		}
		v.Set(reflect.ValueOf(bytes.NewBuffer(b)))
	case reflect.TypeFor[*bytes.Reader]().Implements(t):
		v.Set(reflect.ValueOf(bytes.NewReader([]byte("RIFF\xff\xff\xff\xffWAVEfmt \xff"))))
	}
}

func (d *drawer) context() reflect.Value {
	v := reflect.New(contextType).Elem()
	switch d.IntN(6) {
	case 0: // nil
	case 1:
		ctx, cancel := context.WithCancel(context.Background())
		cancel()
		v.Set(reflect.ValueOf(ctx))
	default:
		v.Set(reflect.ValueOf(context.Background()))
	}
	return v
}

// array is one of a few elements, a failed one, none, or one that is too large
// for any machine.
func (d *drawer) array() *nd.Array {
	switch d.IntN(14) {
	case 0:
		return nil
	case 1:
		return new(nd.Array)
	case 2:
		return nd.Fail("hostile", "array", errHostile)
	case 3:
		return nd.Zeros(nd.Float32, math.MaxInt>>23).BroadcastTo(3, math.MaxInt>>23)
	case 4:
		return nd.Zeros(nd.Float32, 0)
	case 5:
		return nd.Scalar(float32(d.float()))
	case 6:
		return nd.From([]complex64{1, 2i, complex(float32(d.float()), 0)})
	case 7:
		return nd.From([]int64{d.integer(), 2, 3})
	case 8:
		return nd.From([]float64{d.float(), d.float(), d.float(), 1, 2, 3, 4, 5})
	}
	shape := make([]int, 1+d.IntN(3))
	n := 1
	for i := range shape {
		shape[i] = 1 + d.IntN(9)
		n *= shape[i]
	}
	data := make([]float32, n)
	for i := range data {
		data[i] = float32(d.IntN(21) - 10)
	}
	if d.IntN(8) == 0 {
		data[d.IntN(n)] = float32(d.float())
	}
	return nd.From(data, shape...)
}
