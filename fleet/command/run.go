package command

import (
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"log/slog"
	"os"
	"path/filepath"
	"runtime"
	"runtime/debug"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/apache/beam/sdks/v2/go/pkg/beam"
	beamlog "github.com/apache/beam/sdks/v2/go/pkg/beam/log"

	"github.com/twiddle-go/twiddle/fleet"
	"github.com/twiddle-go/twiddle/fleet/beamrun"
)

// texts is a flag that may be given several times.
type texts []string

func (t *texts) String() string     { return strings.Join(*t, " ") }
func (t *texts) Set(s string) error { *t = append(*t, s); return nil }

// runFlags are those of run. They are defined among Beam's own, so that the
// flags of every runner work as Beam's documentation has them.
type runFlags struct {
	in                                            texts
	out, job, options, pattern, station           string
	from, to, calibration, formats, shard, device string
	runner                                        string
	period, unit                                  time.Duration
	rate                                          float64
	workers, retries                              int
	plan, quiet                                   bool
	ours                                          []string
}

func (f *runFlags) define(set *flag.FlagSet) {
	before := map[string]bool{}
	set.VisitAll(func(one *flag.Flag) { before[one.Name] = true })
	set.Var(&f.in, "in", "files: a `pattern` such as 'archive/**/*.flac', or a folder; may be repeated")
	set.StringVar(&f.out, "out", "", "`folder` of results")
	set.StringVar(&f.job, "job", "", "what to compute: "+strings.Join(fleet.Jobs(), ", "))
	set.StringVar(&f.options, "set", "", "`options` of the job, as JSON or as key=value,key=value: twiddle-fleet jobs lists them")
	set.DurationVar(&f.period, "period", 0, "time of a row (a minute, or what the job prefers)")
	set.DurationVar(&f.unit, "unit", 0, "time of a unit of work (an hour)")
	set.StringVar(&f.from, "from", "", "leave out what is before this `time`; it is also the first day of the output")
	set.StringVar(&f.to, "to", "", "leave out what is from this `time` on")
	set.StringVar(&f.pattern, "pattern", "", "of names: {station}, * and %Y%m%d%H%M%S%f%j%z%s, such as '{station}/*_%Y%m%d_%H%M%S'; without it, usual time stamps are found, then headers asked")
	set.StringVar(&f.station, "station", "", "`name` of the station of files whose pattern does not say")
	set.Float64Var(&f.rate, "rate", 0, "samples per second, for files that do not say")
	set.StringVar(&f.calibration, "calibration", "", "CSV `file` of stations with full_scale, gain, sensitivity and curve")
	set.StringVar(&f.formats, "format", "zarr", "zarr, parquet, or zarr,parquet")
	set.StringVar(&f.runner, "runner", "prism", "local, without Beam; prism in this process; or universal, flink, spark (and dataflow, if built with -tags dataflow) with Beam's flags")
	set.StringVar(&f.shard, "shard", "", "compute one part of the units without Beam, such as `3/40`; merge joins the parts")
	set.IntVar(&f.workers, "workers", 0, "units computed at a time (one for each processor)")
	set.StringVar(&f.device, "device", "", "where workers compute, such as cuda:0, or cuda:0,cuda:1 for workers by turns (the CPU)")
	set.IntVar(&f.retries, "retries", 3, "how often a Beam job that fails is submitted again without getting further")
	set.BoolVar(&f.plan, "plan", false, "only say what would be done, and how long it takes")
	set.BoolVar(&f.quiet, "quiet", false, "no progress")
	set.VisitAll(func(one *flag.Flag) {
		if !before[one.Name] {
			f.ours = append(f.ours, one.Name)
		}
	})
}

// config is what the flags say.
func (f *runFlags) config() (fleet.Config, error) {
	c := fleet.Config{In: f.in, Out: f.out, Job: f.job, Period: f.period, Unit: f.unit, Pattern: f.pattern, Station: f.station,
		Rate: f.rate, Calibration: f.calibration, Device: f.device, Workers: f.workers}
	switch {
	case len(f.in) == 0:
		return c, usage("which files? --in 'archive/**/*.wav'")
	case f.job == "":
		return c, usage("which job? --job %s", strings.Join(fleet.Jobs(), ", or "))
	case !slices.Contains(fleet.Jobs(), f.job):
		return c, usage("there is no job %q: there are %s", f.job, strings.Join(fleet.Jobs(), ", "))
	case f.out == "":
		return c, usage("where to? --out folder")
	case f.runner != "local" && !slices.Contains(beamrun.Runners(), f.runner):
		return c, usage("there is no runner %q: there are local, %s", f.runner, strings.Join(beamrun.Runners(), ", "))
	}
	// Workers of a runner may have another working directory.
	for i, p := range c.In {
		full, err := filepath.Abs(p)
		if err != nil {
			return c, err
		}
		c.In[i] = full
	}
	for _, p := range []*string{&c.Out, &c.Calibration} {
		if *p != "" {
			full, err := filepath.Abs(*p)
			if err != nil {
				return c, err
			}
			*p = full
		}
	}
	for _, format := range strings.Split(f.formats, ",") {
		switch format {
		case "zarr":
			c.Zarr = true
		case "parquet":
			c.Parquet = true
		default:
			return c, usage("--format %s: want zarr, parquet, or zarr,parquet", f.formats)
		}
	}
	var err error
	if c.From, err = instant("--from", f.from); err != nil {
		return c, err
	}
	if c.To, err = instant("--to", f.to); err != nil {
		return c, err
	}
	c.Options, err = jobOptions(f.options)
	return c, err
}

// instant reads a day, or a time.
func instant(flag, text string) (time.Time, error) {
	if text == "" {
		return time.Time{}, nil
	}
	for _, layout := range []string{time.DateOnly, "2006-01-02T15:04", "2006-01-02T15:04:05", time.RFC3339} {
		if at, err := time.Parse(layout, text); err == nil {
			return at.UTC(), nil
		}
	}
	return time.Time{}, usage("%s %s: want a day such as 2024-03-01, or a time such as 2024-03-01T12:00:00Z", flag, text)
}

// jobOptions is JSON, or what key=value,key=value says in JSON: values are
// numbers, true, false, lists with semicolons, or else text.
func jobOptions(text string) (json.RawMessage, error) {
	text = strings.TrimSpace(text)
	if text == "" {
		return nil, nil
	}
	if strings.HasPrefix(text, "{") {
		var all map[string]any
		if err := json.Unmarshal([]byte(text), &all); err != nil {
			return nil, usage("--set: %v", err)
		}
		return json.Marshal(all)
	}
	value := func(text string) any {
		if n, err := strconv.ParseFloat(text, 64); err == nil {
			return n
		}
		if b, err := strconv.ParseBool(text); err == nil {
			return b
		}
		return text
	}
	all := map[string]any{}
	for _, one := range strings.Split(text, ",") {
		key, v, ok := strings.Cut(one, "=")
		if !ok || key == "" {
			return nil, usage("--set %s: %q is not key=value; lists have semicolons, as in percentiles=5;50;95", text, one)
		}
		if parts := strings.Split(v, ";"); len(parts) > 1 {
			var list []any
			for _, p := range parts {
				list = append(list, value(p))
			}
			all[key] = list
		} else {
			all[key] = value(v)
		}
	}
	// A list of one has no semicolon.
	if one, ok := all["percentiles"].(float64); ok {
		all["percentiles"] = []float64{one}
	}
	return json.Marshal(all)
}

// shardOf reads 3/40: the third of forty.
func shardOf(text string) (shard, of int, err error) {
	a, b, ok := strings.Cut(text, "/")
	shard, err1 := strconv.Atoi(a)
	of, err2 := strconv.Atoi(b)
	if !ok || err1 != nil || err2 != nil || shard < 1 || shard > of {
		return 0, 0, usage("--shard %s: want such as 3/40, with shards from 1 to 40", text)
	}
	return shard - 1, of, nil
}

func run(ctx context.Context, args []string, out io.Writer) error {
	f := &runFlags{}
	f.define(flag.CommandLine)
	flag.CommandLine.Init("twiddle-fleet run", flag.ContinueOnError)
	flag.CommandLine.SetOutput(io.Discard)
	flag.CommandLine.Usage = func() {}
	if err := flag.CommandLine.Parse(args); err != nil {
		if errors.Is(err, flag.ErrHelp) {
			f.help(out)
			return err
		}
		return usageError{err}
	}
	if rest := flag.CommandLine.Args(); len(rest) > 0 {
		return usage("%q is no flag: patterns have to be quoted, so that the shell leaves them alone", rest[0])
	}
	c, err := f.config()
	if err != nil {
		return err
	}
	shard, of := 0, 0
	if f.shard != "" {
		if shard, of, err = shardOf(f.shard); err != nil {
			return err
		}
	}
	if os.Getenv("GOGC") == "" {
		// Windows are large and used again: there is little garbage, and what
		// there is need not be as much as all that is in use.
		debug.SetGCPercent(40)
	}
	if c.Workers > 0 {
		runtime.GOMAXPROCS(min(c.Workers, runtime.NumCPU()))
	}
	// Workers of a cluster have devices of their own; those of this process are
	// opened here, before a runner wraps what is wrong in its own words.
	if c.Device != "" && (of > 0 || f.plan || f.runner == "local" || f.runner == "prism") {
		if _, err := c.Devices(); err != nil {
			return usage("--device: %v", err)
		}
	}
	if f.plan {
		return showPlan(ctx, c, out)
	}
	r, err := fleet.Open(ctx, c)
	if err != nil {
		return err
	}
	stop := watch(r, f.quiet, shard, of)
	switch {
	case of > 0:
		err = r.Shard(ctx, shard, of)
	case f.runner == "local":
		err = r.Local(ctx)
	default:
		err = onBeam(ctx, f, r)
	}
	stop()
	if err != nil {
		return err
	}
	if of > 0 {
		fmt.Fprintf(out, "shard %d of %d is done; when all are: twiddle-fleet merge %s\n", shard+1, of, f.out)
		return nil
	}
	return report(r.Plan.Config.Out, f.out, out)
}

// onBeam runs on a runner of Beam.
func onBeam(ctx context.Context, f *runFlags, r *fleet.Run) error {
	if len(r.Missing()) == 0 {
		return r.Merge(ctx) // there is nothing that a cluster would be needed for
	}
	level := "error"
	if f.runner != "prism" {
		level = "warn"
	}
	beamlog.SetupLogging(level, "text")
	slog.SetLogLoggerLevel(slog.LevelWarn)
	beam.Init() // sets up the log again
	slog.SetDefault(slog.New(untilStopped{slog.Default().Handler(), ctx}))
	return beamrun.Run(ctx, f.runner, r, f.retries)
}

// untilStopped is a log that ends when the command is stopped: what Beam then
// says of work that was given up is many lines and no news.
type untilStopped struct {
	slog.Handler
	stopped context.Context
}

func (u untilStopped) Enabled(ctx context.Context, l slog.Level) bool {
	return u.stopped.Err() == nil && u.Handler.Enabled(ctx, l)
}

func (u untilStopped) WithAttrs(a []slog.Attr) slog.Handler {
	return untilStopped{u.Handler.WithAttrs(a), u.stopped}
}

func (u untilStopped) WithGroup(name string) slog.Handler {
	return untilStopped{u.Handler.WithGroup(name), u.stopped}
}

func (f *runFlags) help(out io.Writer) {
	fmt.Fprintln(out, "twiddle-fleet run --in PATTERN --job JOB --out FOLDER [flags]")
	fmt.Fprintln(out)
	for _, name := range f.ours {
		one := flag.CommandLine.Lookup(name)
		arg, text := flag.UnquoteUsage(one)
		if one.DefValue != "" && one.DefValue != "0" && one.DefValue != "0s" && one.DefValue != "false" {
			text += " (" + one.DefValue + ")"
		}
		fmt.Fprintf(out, "  --%s %s\n        %s\n", name, arg, text)
	}
	fmt.Fprintln(out, "\nAnd the flags of Beam's Go SDK for its runners, such as --endpoint, --environment_type and --parallelism.")
}

// report says where results are, and that some files have problems.
func report(out, shown string, w io.Writer) error {
	entries, err := os.ReadDir(out)
	if err != nil {
		return err
	}
	for _, e := range entries {
		if strings.HasSuffix(e.Name(), ".zarr") || e.Name() == "parquet" {
			fmt.Fprintln(w, filepath.Join(shown, e.Name()))
		}
	}
	n, err := countProblems(out)
	if err == nil && n > 0 {
		fmt.Fprintf(w, "%d problems with files: see %s\n", n, filepath.Join(shown, fleet.ProblemsName))
	}
	return err
}
