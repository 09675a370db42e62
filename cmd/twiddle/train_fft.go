package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math/bits"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/twiddle-go/twiddle/learn"
	"github.com/twiddle-go/twiddle/learn/butterfly"
	"github.com/twiddle-go/twiddle/nd"
)

// trainFFT is what the verb was asked for.
type trainFFT struct {
	transform  butterfly.Transform
	n          int
	start      string
	method     string
	schedule   string
	order      string
	seed       uint64
	perturb    float64
	samples    int
	steps      int
	checkpoint string
	resume     bool
	single     bool
	out, plot  string
	device     *nd.Device

	log   func(v any) error // of steps; nil without --json
	bar   *trainProgress    // of a terminal
	begun time.Time
	made  int // steps so far
}

func newTrainFFTCommand() *cobra.Command {
	c := &cobra.Command{
		Use:   "fft --n N --transform T",
		Short: "Learn a fast transform: a network of butterflies that equals its matrix",
		Long: "Learn a product of sparse butterfly factors that equals the matrix of a transform. From a\n" +
			"random start the network is grown: the matrix is factored from the outside in, and each\n" +
			"level is trained by gradients (L-BFGS) from random numbers. From any other start, and with\n" +
			"--schedule joint, all factors are trained together, by Adam and then L-BFGS. --method\n" +
			"factorize uses no gradients. Errors are those of the unscaled matrix.",
	}
	var r trainFFT
	var transform string
	f := c.Flags()
	f.IntVar(&r.n, "n", 64, "length of the transform, a power of two from 2 to 4096")
	f.StringVar(&transform, "transform", "dft", "dft, dct2, dst2, hadamard, hartley or conv")
	f.StringVar(&r.start, "init", "random", "random, orthogonal, identity, perturbed or exact")
	f.StringVar(&r.method, "method", "gradient", "gradient or factorize")
	f.StringVar(&r.schedule, "schedule", "", "grow: level by level, from random numbers only; joint: all factors together (default: grow from random numbers)")
	f.StringVar(&r.order, "order", "fixed", "permutations of the network. fixed: known for the transform; learned: found by trial")
	f.Uint64Var(&r.seed, "seed", 1, "seed of all random numbers")
	f.Float64Var(&r.perturb, "perturb", 0.05, "size of the noise that --init perturbed adds")
	f.IntVar(&r.samples, "samples", 0, "train on this many random signals instead of the matrix; all factors together")
	f.IntVar(&r.steps, "steps", 0, "most steps of L-BFGS, per level when growing; 0: automatic")
	f.StringVar(&r.checkpoint, "checkpoint", "", "the file for the state of the training")
	f.BoolVar(&r.resume, "resume", false, "continue from --checkpoint, with the same bits as an uninterrupted run")
	f.StringVar(&r.out, "out", "", "the .safetensors file to write the network to")
	f.StringVar(&r.plot, "plot", "", "a .png or .svg file with the learned and the exact twiddles")
	f.BoolVar(&r.single, "single", false, "train in single precision, for devices without float64; all factors together")
	device := f.String("device", "cpu", "the device to train on; see 'twiddle devices'")
	asJSON := addJSON(c)
	c.RunE = func(c *cobra.Command, _ []string) error {
		var err error
		if r.device, err = nd.Open(*device); err != nil {
			return usagef("--device: %w", err)
		}
		if r.transform, err = parseTransform(transform); err != nil {
			return err
		}
		if err := r.check(c); err != nil {
			return err
		}
		for _, name := range []string{r.out, r.plot, r.checkpoint} {
			if err := makeParent(name); err != nil {
				return err
			}
		}
		r.bar = newTrainProgress(c.ErrOrStderr(), r.total())
		if *asJSON {
			r.log = json.NewEncoder(c.OutOrStdout()).Encode
		}
		report, err := r.run(c.Context())
		if closeErr := r.bar.close(); err == nil {
			err = closeErr
		}
		if missing := new(nd.DTypeError); errors.As(err, &missing) {
			return usagef("--device %s: it has no %s: add --single to train in %s", missing.Device, missing.Type, missing.Instead)
		}
		if err != nil {
			return err
		}
		if *asJSON {
			return r.log(report) // one line, behind those of the steps
		}
		return report.WriteText(c.OutOrStdout())
	}
	return c
}

// parseTransform suggests a name for one that is not known.
func parseTransform(name string) (butterfly.Transform, error) {
	t, err := butterfly.ParseTransform(name)
	if err == nil {
		return t, nil
	}
	var names []string
	for _, t := range butterfly.Transforms {
		names = append(names, string(t))
	}
	return "", usagef("--transform %q: want one of %s%s", name, strings.Join(names, ", "), didYouMean(name, "", names))
}

// oneOf checks a flag with a few values.
func oneOf(flag, value string, values ...string) error {
	if slices.Contains(values, value) {
		return nil
	}
	return usagef("--%s %q: want one of %s%s", flag, value, strings.Join(values, ", "), didYouMean(value, "", values))
}

func (r *trainFFT) check(c *cobra.Command) error {
	if _, err := butterfly.FormOf(r.transform, r.n); err != nil {
		return usagef("--n %d: want a power of two from 2 to 4096", r.n)
	}
	err := errors.Join(
		oneOf("init", r.start, "random", "orthogonal", "identity", "perturbed", "exact"),
		oneOf("method", r.method, "gradient", "factorize"),
		oneOf("order", r.order, "fixed", "learned"))
	if r.schedule != "" {
		err = errors.Join(err, oneOf("schedule", r.schedule, "grow", "joint"))
	} else if r.schedule = "joint"; r.start == "random" && !r.single {
		r.schedule = "grow"
	}
	switch {
	case err != nil:
		return err
	case r.samples < 0 || r.steps < 0:
		return usagef("--samples %d, --steps %d: want no negative number", r.samples, r.steps)
	case r.schedule == "grow" && r.start != "random":
		return usagef("--schedule grow: begins with random numbers, not with --init %s", r.start)
	case r.single && (r.schedule == "grow" || r.method == "factorize"):
		return usagef("--single: a network is grown or factorised in double precision; use it with --schedule joint")
	case r.samples > 0 && (r.schedule == "grow" || r.method == "factorize"):
		return usagef("--samples: a network that is grown or factorised needs the matrix; use it with --schedule joint")
	case r.resume && r.checkpoint == "":
		return usagef("--resume wants a --checkpoint to go on from")
	case r.order == "learned" && (r.start == "perturbed" || r.start == "exact"):
		return usagef("--order learned: --init %s is in the known order already", r.start)
	case r.perturb < 0:
		return usagef("--perturb %g: want no negative number", r.perturb)
	}
	if r.plot != "" && !strings.HasSuffix(r.plot, ".png") && !strings.HasSuffix(r.plot, ".svg") {
		return usagef("--plot %q: want a name that ends in .png or .svg", r.plot)
	}
	if r.method == "factorize" && c.Flags().Changed("init") {
		return usagef("--init %s: a factorisation has no start", r.start)
	}
	return nil
}

// trainFFTReport is the outcome, the last line of the log.
type trainFFTReport struct {
	Transform butterfly.Transform   `json:"transform"`
	N         int                   `json:"n"`
	Factors   int                   `json:"factors"`
	Method    string                `json:"method"` // grow, joint or factorize
	Init      string                `json:"init,omitempty"`
	Seed      uint64                `json:"seed"`
	Tried     []butterfly.Candidate `json:"orders_tried,omitempty"`
	Steps     int                   `json:"steps"`
	butterfly.Errors
	RMSE32  float64 `json:"rmse_float32"`
	Seconds float64 `json:"seconds"`
	Out     string  `json:"out,omitempty"`
	Plot    string  `json:"plot,omitempty"`
}

func (p trainFFTReport) WriteText(w io.Writer) error {
	how := map[string]string{
		"grow": "grown from random numbers", "grow, joint": "grown from random numbers, not to the end, and trained on",
		"joint": "trained from a start that is " + p.Init, "factorize": "factorised",
	}[p.Method]
	if _, err := fmt.Fprintf(w, "%s of %d, %d factors, %s: RMSE %.1e (in float32 %.1e), at most %.1e; %d steps, %.1f s\n",
		p.Transform, p.N, p.Factors, how, p.RMSE, p.RMSE32, p.Max, p.Steps, p.Seconds); err != nil {
		return err
	}
	for _, c := range p.Tried {
		if _, err := fmt.Fprintf(w, "  order tried: %-44s off by %.1e\n", c.Name, c.Error); err != nil {
			return err
		}
	}
	for _, name := range []string{p.Out, p.Plot} {
		if name != "" {
			if _, err := fmt.Fprintf(w, "  wrote %s\n", name); err != nil {
				return err
			}
		}
	}
	return nil
}

func (r *trainFFT) run(ctx context.Context) (*trainFFTReport, error) {
	r.begun = time.Now()
	p := &trainFFTReport{Transform: r.transform, N: r.n, Seed: r.seed, Out: r.out, Plot: r.plot}
	m, err := r.transform.Dense(r.n, r.seed)
	if err != nil {
		return nil, err
	}
	form, err := butterfly.FormOf(r.transform, r.n)
	if r.order == "learned" && err == nil {
		form, p.Tried, err = butterfly.LearnForm(ctx, r.transform, r.n, r.seed)
	}
	if err != nil {
		return nil, err
	}
	net, err := r.train(ctx, m, form, p)
	if err != nil {
		return nil, err
	}
	p.Seconds, p.Steps, p.Factors = time.Since(r.begun).Seconds(), r.made, len(net.Spans)
	if p.Errors, p.RMSE32, err = errorsOf(ctx, net, m); err != nil {
		return nil, err
	}
	if r.out != "" {
		if err := net.Save(r.out, butterfly.About{Transform: r.transform, Seed: r.seed}); err != nil {
			return nil, err
		}
	}
	if r.plot != "" {
		return p, plotTwiddles(r.plot, r.transform, net, r.seed)
	}
	return p, nil
}

// errorsOf measures a network in double and in single precision.
func errorsOf(ctx context.Context, net *butterfly.Network, m butterfly.Matrix) (e butterfly.Errors, single float64, err error) {
	double, err := net.Matrix(ctx, nd.Complex128)
	if err != nil {
		return e, 0, err
	}
	short, err := net.Matrix(ctx, nd.Complex64)
	return butterfly.Compare(double, m), butterfly.Compare(short, m).RMSE, err
}

// train is the method that was asked for.
func (r *trainFFT) train(ctx context.Context, m butterfly.Matrix, form butterfly.Form, p *trainFFTReport) (*butterfly.Network, error) {
	switch {
	case r.method == "factorize":
		p.Method = "factorize"
		return butterfly.Factorize(m, form)
	case r.schedule == "grow":
		p.Method, p.Init = "grow", r.start
		net, err := butterfly.Grow{Seed: r.seed, Steps: r.steps, Checkpoint: r.checkpoint, Resume: r.resume, Device: r.device, Hook: r.grown}.Train(ctx, m, form)
		if net == nil || !errors.As(err, new(*butterfly.FailedError)) {
			return net, err
		}
		// What did not come near enough may still be a good start.
		p.Method = "grow, joint"
		return butterfly.Joint{Seed: r.seed, Adam: -1, LBFGS: r.steps, Device: r.device, Hook: r.joint}.Train(ctx, m, net)
	}
	p.Method, p.Init = "joint", r.start
	start, err := r.startFrom(form)
	if err != nil {
		return nil, err
	}
	return butterfly.Joint{Seed: r.seed, LBFGS: r.steps, Samples: r.samples, Checkpoint: r.checkpoint, Every: 25, Resume: r.resume, Single: r.single, Device: r.device, Hook: r.joint}.Train(ctx, m, start)
}

// total is what there is to do: levels that grow, or steps.
func (r *trainFFT) total() int {
	if r.schedule == "grow" {
		return max(bits.Len(uint(r.n))-2, 1)
	}
	return 800
}

func (r *trainFFT) startFrom(form butterfly.Form) (*butterfly.Network, error) {
	switch r.start {
	case "random":
		return butterfly.Random(form, r.seed)
	case "orthogonal":
		return butterfly.Orthogonal(form, r.seed)
	case "identity":
		return butterfly.Identity(form)
	}
	net, err := butterfly.Exact(r.transform, r.n, r.seed)
	if err == nil && r.start == "perturbed" {
		net = net.Perturbed(r.perturb, r.seed)
	}
	return net, err
}

// step is a line of the log.
type step struct {
	Phase  string `json:"phase"`
	Size   int    `json:"size,omitempty"`
	Blocks int    `json:"blocks,omitempty"`
	Try    int    `json:"try,omitempty"`
	learn.Event
}

func (r *trainFFT) grown(e butterfly.GrowEvent) error {
	return r.note(step{Phase: "grow", Size: e.Size, Blocks: e.Blocks, Try: e.Try, Event: e.Event})
}

func (r *trainFFT) joint(phase string, e learn.Event) error {
	return r.note(step{Phase: phase, Event: e})
}

// note logs the first and then every tenth step, and shows all of them.
func (r *trainFFT) note(s step) error {
	r.made++
	s.Seconds = time.Since(r.begun).Seconds()
	words, done := fmt.Sprintf("%s  loss %.2e  rate %.1e", s.Phase, s.Loss, s.Rate), r.made
	if s.Size > 0 {
		words, done = fmt.Sprintf("%d of size %d  loss %.2e  rate %.1e", s.Blocks, s.Size, s.Loss, s.Rate), bits.Len(uint(r.n))-bits.Len(uint(s.Size))
	}
	if err := r.bar.set(done, words); err != nil {
		return err
	}
	if r.log == nil || s.Step%10 != 1 {
		return nil
	}
	return r.log(s)
}
