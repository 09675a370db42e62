package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"github.com/twiddle-go/twiddle/audio/npy"
	"github.com/twiddle-go/twiddle/internal/hostmem"
	"github.com/twiddle-go/twiddle/nd"
)

func newKernelCommand() *cobra.Command {
	c := &cobra.Command{
		Use:   "kernel",
		Short: "Run a custom kernel, or print it for another device",
		Long: "Work with custom kernels: bodies in a Metal-style C dialect that every thread of a grid\n" +
			"runs. The signature is generated from the inputs and outputs named here.",
	}
	c.AddCommand(newKernelRunCommand(), newKernelShowCommand())
	return c
}

// mostText bounds the files of a kernel; people write kilobytes.
const mostText = 16 << 20

// kernelFlags are what both verbs take.
type kernelFlags struct {
	inputs, outputs, template []string
	grid, threadgroup, header string
	atomic                    bool
}

func (k *kernelFlags) add(c *cobra.Command, inputs string) {
	f := c.Flags()
	f.StringArrayVar(&k.inputs, "input", nil, inputs)
	f.StringArrayVar(&k.outputs, "output", nil, "an output, as name:dtype:shape, the shape separated by commas (repeat)")
	f.StringArrayVar(&k.template, "template", nil, "a template constant: NAME=4, NAME=true or T=float16 (repeat)")
	f.StringVar(&k.grid, "grid", "", "threads along x, or x,y or x,y,z (default: one for each element of the first output)")
	f.StringVar(&k.threadgroup, "threadgroup", "", "threads of a group, as for --grid")
	f.StringVar(&k.header, "header", "", "a file of functions and constants")
	f.BoolVar(&k.atomic, "atomic", false, "make the outputs atomic")
}

func newKernelRunCommand() *cobra.Command {
	var k kernelFlags
	c := &cobra.Command{
		Use:   "run BODY.metal --input a=a.npy --output y:float32:64,128 --save y=y.npy",
		Short: "Run a kernel over .npy files",
		Args:  oneBody,
	}
	k.add(c, "an input, as name=file.npy (repeat)")
	f := c.Flags()
	saves := f.StringArray("save", nil, "save an output, as name=file.npy (repeat)")
	device := f.String("device", "cpu", "the device to run on")
	check := f.Bool("check", false, "check for races and conflicting writes; slow")
	limit := f.Int("limit", 0, "most loop iterations per threadgroup; 0: no limit")
	init := f.Float64("init", 0, "initial value of the outputs")
	asJSON := addJSON(c)
	c.RunE = func(c *cobra.Command, args []string) error {
		d, err := nd.Open(*device)
		if err != nil {
			return usagef("--device: %w", err)
		}
		kernel, launch, err := k.kernel(args[0], d)
		if err != nil {
			return err
		}
		launch.Check, launch.Limit, launch.Init = *check, *limit, *init
		to, err := saveFiles(*saves, kernel.Outputs)
		if err != nil {
			return err
		}
		r, err := runKernel(c.Context(), kernel, launch, to)
		if err != nil {
			return diagnose(c.ErrOrStderr(), err)
		}
		r.Device = *device
		return show(c, *asJSON, r)
	}
	return c
}

func newKernelShowCommand() *cobra.Command {
	var k kernelFlags
	c := &cobra.Command{
		Use:   "show BODY.metal --input a:float32 --output y:float32 --as cuda",
		Short: "Print a kernel with its signature, for another device",
		Args:  oneBody,
	}
	k.add(c, "an input, as name:dtype or name=file.npy (repeat)")
	form := c.Flags().String("as", "metal", "metal, cuda or wgsl")
	c.RunE = func(c *cobra.Command, args []string) error {
		switch *form {
		case "metal", "cuda", "wgsl":
		default:
			return usagef("--as %q: want metal, cuda or wgsl", *form)
		}
		kernel, launch, err := k.kernel(args[0], nd.CPU())
		if err != nil {
			return err
		}
		text, err := kernel.Text(*form, *launch)
		if err != nil {
			return diagnose(c.ErrOrStderr(), err)
		}
		_, err = io.WriteString(c.OutOrStdout(), text)
		return err
	}
	return c
}

func oneBody(_ *cobra.Command, args []string) error {
	if len(args) != 1 {
		return fmt.Errorf("want one body, a file in the dialect; got %d arguments", len(args))
	}
	return nil
}

// diagnose prints faults in a kernel's text with their lines and carets, and
// keeps the summary for the last line.
func diagnose(stderr io.Writer, err error) error {
	var fault *nd.KernelFault
	if errors.As(err, &fault) {
		fmt.Fprintln(stderr, fault)
		return errors.New("kernel: it failed while running")
	}
	if !errors.As(err, new(*nd.KernelError)) {
		return err
	}
	var op *nd.OpError
	if errors.As(err, &op) {
		err = op.Err
	}
	fmt.Fprintln(stderr, err)
	return errors.New("kernel: the text has errors")
}

// kernel reads the body and makes sense of the flags.
func (k *kernelFlags) kernel(body string, d *nd.Device) (*nd.Kernel, *nd.Launch, error) {
	source, err := hostmem.ReadFile(body, mostText)
	if err != nil {
		return nil, nil, fmt.Errorf("kernel: %w", err)
	}
	out := &nd.Kernel{Name: kernelName(body), Source: string(source), File: body}
	if k.header != "" {
		header, err := hostmem.ReadFile(k.header, mostText)
		if err != nil {
			return nil, nil, fmt.Errorf("kernel: %w", err)
		}
		out.Header, out.HeaderFile = string(header), k.header
	}
	l := &nd.Launch{Atomic: k.atomic}
	for _, in := range k.inputs {
		name, a, err := kernelInput(in)
		if err != nil {
			return nil, nil, err
		}
		out.Inputs = append(out.Inputs, name)
		l.Inputs = append(l.Inputs, a.On(d.Stream()))
	}
	if len(k.outputs) == 0 {
		return nil, nil, usagef("--output is required, as in --output y:float32:64,128")
	}
	for _, o := range k.outputs {
		name, t, shape, err := kernelOutput(o)
		if err != nil {
			return nil, nil, err
		}
		out.Outputs = append(out.Outputs, name)
		l.DTypes = append(l.DTypes, t)
		l.Shapes = append(l.Shapes, shape)
	}
	if l.Template, err = templateConstants(k.template); err != nil {
		return nil, nil, err
	}
	if l.Grid, err = extents("--grid", k.grid); err != nil {
		return nil, nil, err
	}
	if k.grid == "" {
		l.Grid[0] = 1
		for _, n := range l.Shapes[0] {
			l.Grid[0] *= n
		}
	}
	if l.Threadgroup, err = extents("--threadgroup", k.threadgroup); err != nil {
		return nil, nil, err
	}
	l.Stream = d.Stream()
	return out, l, nil
}

// kernelName makes an identifier of a file's name.
func kernelName(file string) string {
	base := strings.TrimSuffix(filepath.Base(file), filepath.Ext(file))
	name := strings.Map(func(r rune) rune {
		if r == '_' || r >= '0' && r <= '9' || r|0x20 >= 'a' && r|0x20 <= 'z' {
			return r
		}
		return '_'
	}, base)
	if name == "" || name[0] >= '0' && name[0] <= '9' {
		name = "k_" + name
	}
	return name
}

// kernelInput reads name=file.npy, or name:dtype for texts that only need the
// type.
func kernelInput(s string) (string, *nd.Array, error) {
	if name, file, ok := strings.Cut(s, "="); ok {
		a, err := npy.ReadFile(file)
		if err != nil {
			return "", nil, err
		}
		x, err := arrayFromFile(a)
		if err != nil {
			return "", nil, fmt.Errorf("kernel: %s: %w", file, err)
		}
		return name, x, nil
	}
	name, dtype, ok := strings.Cut(s, ":")
	if !ok {
		return "", nil, usagef("--input %q: want name=file.npy or name:dtype", s)
	}
	t, known := elementType(dtype)
	if !known {
		return "", nil, noElementType("--input", s, dtype)
	}
	return name, nd.Zeros(t, 1), nil
}

// kernelOutput reads name:dtype:shape; without a shape it is one element.
func kernelOutput(s string) (string, nd.DType, []int, error) {
	parts := strings.Split(s, ":")
	if len(parts) < 2 || len(parts) > 3 {
		return "", 0, nil, usagef("--output %q: want name:dtype:shape, as in y:float32:64,128", s)
	}
	t, ok := elementType(parts[1])
	if !ok {
		return "", 0, nil, noElementType("--output", s, parts[1])
	}
	shape := []int{}
	if len(parts) == 3 && parts[2] != "" {
		for _, d := range strings.Split(parts[2], ",") {
			n, err := strconv.Atoi(d)
			if err != nil || n < 0 {
				return "", 0, nil, usagef("--output %q: bad length %q", s, d)
			}
			shape = append(shape, n)
		}
	}
	return parts[0], t, shape, nil
}

func templateConstants(list []string) (map[string]any, error) {
	out := map[string]any{}
	for _, s := range list {
		name, value, ok := strings.Cut(s, "=")
		if !ok || name == "" {
			return nil, usagef("--template %q: want NAME=value", s)
		}
		if n, err := strconv.Atoi(value); err == nil {
			out[name] = n
		} else if b, err := strconv.ParseBool(value); err == nil {
			out[name] = b
		} else if t, ok := elementType(value); ok {
			out[name] = t
		} else {
			return nil, usagef("--template %q: want an integer, true, false or a dtype", s)
		}
	}
	return out, nil
}

// extents reads x, x,y or x,y,z.
func extents(flag, s string) (out [3]int, err error) {
	if s == "" {
		return out, nil
	}
	parts := strings.Split(s, ",")
	if len(parts) > 3 {
		return out, usagef("%s %q: want at most three lengths", flag, s)
	}
	for i, p := range parts {
		n, err := strconv.Atoi(p)
		if err != nil || n < 1 {
			return out, usagef("%s %q: bad length %q", flag, s, p)
		}
		out[i] = n
	}
	return out, nil
}

func saveFiles(list, outputs []string) (map[string]string, error) {
	to := map[string]string{}
	for _, s := range list {
		name, file, ok := strings.Cut(s, "=")
		known := false
		for _, o := range outputs {
			known = known || o == name
		}
		if !ok || file == "" || !known {
			return nil, usagef("--save %q: want name=file.npy of an output", s)
		}
		to[name] = file
	}
	return to, nil
}

// kernelReport says what came out.
type kernelReport struct {
	Kernel  string               `json:"kernel"`
	Device  string               `json:"device"`
	Grid    [3]int               `json:"grid"`
	Outputs []kernelOutputReport `json:"outputs"`
}

type kernelOutputReport struct {
	Name  string `json:"name"`
	DType string `json:"dtype"`
	Shape []int  `json:"shape"`
	First string `json:"first"` // a few elements
	Saved string `json:"saved,omitempty"`
}

func (r *kernelReport) WriteText(w io.Writer) error {
	for _, o := range r.Outputs {
		line := fmt.Sprintf("%s: %s %v %s", o.Name, o.DType, o.Shape, o.First)
		if o.Saved != "" {
			line += " -> " + o.Saved
		}
		if _, err := fmt.Fprintln(w, line); err != nil {
			return err
		}
	}
	return nil
}

func runKernel(ctx context.Context, k *nd.Kernel, l *nd.Launch, to map[string]string) (*kernelReport, error) {
	out := k.Call(*l)
	if err := nd.Eval(ctx, out...); err != nil {
		return nil, err
	}
	r := &kernelReport{Kernel: k.Name, Grid: l.Grid}
	for i, a := range out {
		file, first, err := arrayToFile(ctx, a)
		if err != nil {
			return nil, err
		}
		o := kernelOutputReport{Name: k.Outputs[i], DType: a.DType().String(), Shape: a.Shape(), First: first, Saved: to[k.Outputs[i]]}
		if o.Saved != "" {
			if err := npy.WriteFile(o.Saved, file); err != nil {
				return nil, err
			}
		}
		r.Outputs = append(r.Outputs, o)
	}
	return r, nil
}
