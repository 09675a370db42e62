// Package nd has the declarations of the real nd that tests of the passes use,
// without bodies. A test compares each with the real one.
package nd

import "context"

type DType uint8

const (
	Bool DType = iota + 1
	Uint8
	Int8
	Int16
	Int32
	Int64
	Uint32
	Float16
	BFloat16
	Float32
	Float64
	Complex64
	Complex128
)

type Accumulation uint8

type Norm uint8

const (
	Backward Norm = iota
	Ortho
	Forward
)

type (
	Array      struct{ _ int }
	Stream     struct{ _ int }
	Device     struct{ _ int }
	Pending    struct{ _ int }
	Plan       struct{ Device string }
	AxisChoice struct{ _ int }
	Key        uint64
	PadMode    uint8
	F16        uint16
	BF16       uint16
)

type FFT struct {
	N     int
	Axis  AxisChoice
	Norm  Norm
	Mode  Accumulation
	Store DType
}

type FFTN struct {
	Shape []int
	Axes  []int
	Norm  Norm
	Mode  Accumulation
	Store DType
}

type Margin struct{ Before, After int }

type Pad struct {
	Mode  PadMode
	Value any
}

type Range struct{ Start, Stop, Step int }

type Real interface {
	uint8 | int8 | int16 | int32 | int64 | uint32 | float32 | float64
}

type Element interface {
	bool | uint8 | int8 | int16 | int32 | int64 | uint32 | F16 | BF16 | float32 | float64 | complex64 | complex128
}

const End = int(^uint(0) >> 1)

var All = Range{Stop: End}

func Eval(ctx context.Context, arrays ...*Array) error
func Item[T Element](ctx context.Context, a *Array) (T, error)    { panic("stub") }
func Slice[T Element](ctx context.Context, a *Array) ([]T, error) { panic("stub") }

func Read[T Element](ctx context.Context, dst []T, a *Array) error { panic("stub") }

func Look[T Element](ctx context.Context, a *Array, look func([]T) error) error { panic("stub") }

type Compiled struct{}

func Compile(f func(in ...*Array) []*Array) *Compiled

func (c *Compiled) Call(ctx context.Context, in ...*Array) ([]*Array, error)
func Arange[T Real](start, stop, step T) *Array { panic("stub") }
func Complex(re, im *Array) *Array
func Concat(axis int, arrays ...*Array) *Array
func Eye(t DType, n int) *Array
func FFTFreq[T float32 | float64](n int, d T) *Array { panic("stub") }
func Fail(pkg, op string, err error, operands ...*Array) *Array
func From[T Element](data []T, shape ...int) *Array { panic("stub") }
func Full(value any, t DType, shape ...int) *Array
func FullLike(a *Array, value any) *Array
func Linspace[T float32 | float64](start, stop T, n int) *Array { panic("stub") }
func Normal(k Key, t DType, shape ...int) *Array
func Ones(t DType, shape ...int) *Array
func Permutation(k Key, n int) *Array
func RFFTFreq[T float32 | float64](n int, d T) *Array { panic("stub") }
func Randint(k Key, low, high int64, t DType, shape ...int) *Array
func Scalar[T Element](v T) *Array { panic("stub") }
func Split(a *Array, n, axis int) []*Array
func Stack(axis int, arrays ...*Array) *Array
func Uniform(k Key, t DType, shape ...int) *Array
func Where(cond *Array, x, y any) *Array
func Zeros(t DType, shape ...int) *Array
func (a *Array) Abs() *Array
func (a *Array) AbsSquared() *Array
func (a *Array) Add(b *Array) *Array
func (a *Array) AddScalar(v any) *Array
func (a *Array) All(axes ...int) *Array
func (a *Array) And(b *Array) *Array
func (a *Array) Angle() *Array
func (a *Array) Any(axes ...int) *Array
func (a *Array) ArgMax(axes ...int) *Array
func (a *Array) ArgMin(axes ...int) *Array
func (a *Array) ArgSort(axis int) *Array
func (a *Array) ArgSortDescending(axis int) *Array
func (a *Array) At(places ...int) *Array
func (a *Array) Atan2(b *Array) *Array
func (a *Array) BitCast(t DType) *Array
func (a *Array) BroadcastTo(shape ...int) *Array
func (a *Array) Cast(t DType) *Array
func (a *Array) Ceil() *Array
func (a *Array) Clip(low, high any) *Array
func (a *Array) Conj() *Array
func (a *Array) Cos() *Array
func (a *Array) CumProd(axis int) *Array
func (a *Array) CumSum(axis int) *Array
func (a *Array) DType() DType
func (a *Array) Dim(axis int) int
func (a *Array) Div(b *Array) *Array
func (a *Array) DivScalar(v any) *Array
func (a *Array) Donate() *Array
func (a *Array) Equal(b *Array) *Array
func (a *Array) EqualScalar(v any) *Array
func (a *Array) Erf() *Array
func (a *Array) Err() error
func (a *Array) Exp() *Array
func (a *Array) ExpandDims(axes ...int) *Array
func (a *Array) Expm1() *Array
func (a *Array) FFT(opt ...FFT) *Array
func (a *Array) FFTN(opt ...FFTN) *Array
func (a *Array) FFTShift(axes ...int) *Array
func (a *Array) Flatten() *Array
func (a *Array) Flip(axes ...int) *Array
func (a *Array) Floor() *Array
func (a *Array) Frames(size, hop int, axis ...int) *Array
func (a *Array) Gather(indices *Array, axis int) *Array
func (a *Array) Greater(b *Array) *Array
func (a *Array) GreaterEqual(b *Array) *Array
func (a *Array) GreaterEqualScalar(v any) *Array
func (a *Array) GreaterScalar(v any) *Array
func (a *Array) HFFT(opt ...FFT) *Array
func (a *Array) HFFTN(opt ...FFTN) *Array
func (a *Array) IFFT(opt ...FFT) *Array
func (a *Array) IFFTN(opt ...FFTN) *Array
func (a *Array) IFFTShift(axes ...int) *Array
func (a *Array) IHFFT(opt ...FFT) *Array
func (a *Array) IHFFTN(opt ...FFTN) *Array
func (a *Array) IRFFT(opt ...FFT) *Array
func (a *Array) IRFFTN(opt ...FFTN) *Array
func (a *Array) Imag() *Array
func (a *Array) IsInf() *Array
func (a *Array) IsNaN() *Array
func (a *Array) Len() int
func (a *Array) Less(b *Array) *Array
func (a *Array) LessEqual(b *Array) *Array
func (a *Array) LessEqualScalar(v any) *Array
func (a *Array) LessScalar(v any) *Array
func (a *Array) Log() *Array
func (a *Array) Log1p() *Array
func (a *Array) LogSumExp(axes ...int) *Array
func (a *Array) MatMul(b *Array, mode ...Accumulation) *Array
func (a *Array) Max(axes ...int) *Array
func (a *Array) Maximum(b *Array) *Array
func (a *Array) MaximumScalar(v any) *Array
func (a *Array) Mean(axes ...int) *Array
func (a *Array) Min(axes ...int) *Array
func (a *Array) Minimum(b *Array) *Array
func (a *Array) MinimumScalar(v any) *Array
func (a *Array) Mul(b *Array) *Array
func (a *Array) MulScalar(v any) *Array
func (a *Array) NDim() int
func (a *Array) Neg() *Array
func (a *Array) Norm(axes ...int) *Array
func (a *Array) Not() *Array
func (a *Array) NotEqual(b *Array) *Array
func (a *Array) NotEqualScalar(v any) *Array
func (a *Array) On(s *Stream) *Array
func (a *Array) Or(b *Array) *Array
func (a *Array) Pad(p Pad, margins ...Margin) *Array
func (a *Array) PadAxis(axis int, m Margin, p Pad) *Array
func (a *Array) Pow(b *Array) *Array
func (a *Array) PowScalar(v any) *Array
func (a *Array) Prod(axes ...int) *Array
func (a *Array) RFFT(opt ...FFT) *Array
func (a *Array) RFFTN(opt ...FFTN) *Array
func (a *Array) Real() *Array
func (a *Array) Release()
func (a *Array) Rem(b *Array) *Array
func (a *Array) RemScalar(v any) *Array
func (a *Array) Repeat(count, axis int) *Array
func (a *Array) Reshape(shape ...int) *Array
func (a *Array) Roll(shift, axis int) *Array
func (a *Array) Round() *Array
func (a *Array) Rsqrt() *Array
func (a *Array) ScatterAdd(indices, updates *Array, axis int) *Array
func (a *Array) Shape() []int
func (a *Array) Sigmoid() *Array
func (a *Array) Sign() *Array
func (a *Array) Sin() *Array
func (a *Array) Slice(ranges ...Range) *Array
func (a *Array) SliceAxis(axis int, r Range) *Array
func (a *Array) Sort(axis int) *Array
func (a *Array) SortDescending(axis int) *Array
func (a *Array) Sqrt() *Array
func (a *Array) Squeeze(axes ...int) *Array
func (a *Array) Std(axes ...int) *Array
func (a *Array) String() string
func (a *Array) Sub(b *Array) *Array
func (a *Array) SubScalar(v any) *Array
func (a *Array) Sum(axes ...int) *Array
func (a *Array) SwapAxes(i, j int) *Array
func (a *Array) Take(indices *Array, axis int) *Array
func (a *Array) Tan() *Array
func (a *Array) Tanh() *Array
func (a *Array) Tile(counts ...int) *Array
func (a *Array) TopK(k, axis int) (values, positions *Array)
func (a *Array) Transpose(perm ...int) *Array
func (a *Array) Var(axes ...int) *Array
func (a *Array) VarDDof(ddof int, axes ...int) *Array
func (a *Array) Xor(b *Array) *Array
func Axis(i int) AxisChoice
func CPU() *Device
func Open(name string) (*Device, error)
func (d *Device) Close() error
func (d *Device) Name() string
func (d *Device) NewStream() (*Stream, error)
func (d *Device) Stream() *Stream
func Async(arrays ...*Array) *Pending
func (p *Pending) Done() <-chan struct{}
func (p *Pending) Then(f func(error))
func (p *Pending) Wait(ctx context.Context) error
func (s *Stream) Close() error
func (s *Stream) Device() *Device
func Explain(arrays ...*Array) (*Plan, error)
func (k Key) Fold(i uint64) Key
func (k Key) Split(n int) []Key
func (p *Plan) String() string

type Kernel struct {
	Name    string
	Inputs  []string
	Outputs []string
	Header  string
	Source  string
	CUDA    string
	File    string
}

type Launch struct {
	Inputs            []*Array
	Shapes            [][]int
	DTypes            []DType
	Grid, Threadgroup [3]int
	Template          map[string]any
	Init              float64
	Atomic, Check     bool
	Limit             int
	Strided           bool
	Stream            *Stream
}

func (k *Kernel) Call(l Launch) []*Array

func Grad(loss *Array, wrt ...*Array) []*Array
func ValueAndGrad(loss *Array, wrt ...*Array) (*Array, []*Array)
func StopGradient(a *Array) *Array
