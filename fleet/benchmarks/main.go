// Command benchmarks compares twiddle-fleet with what people use today, over
// the same files in one run:
//
//	python3 make_archive.py /tmp/archive 24
//	python3 make_stations.py /tmp/stations
//	go build -o /tmp/twiddle-fleet ../cmd/twiddle-fleet
//	go run . --fleet /tmp/twiddle-fleet --python python3 --archive /tmp/archive --stations /tmp/stations
//
// Every line is a process: seconds by the clock, seconds of processors, and
// the memory it had at most. On a machine that does other work as well, the
// seconds of processors are what to compare.
package main

import (
	"context"
	"flag"
	"fmt"
	"io"
	"log"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"syscall"
	"time"

	"github.com/twiddle-go/twiddle/audio"
	"github.com/twiddle-go/twiddle/nd"
	"github.com/twiddle-go/twiddle/signal"
)

func main() {
	log.SetFlags(0)
	fleet := flag.String("fleet", "twiddle-fleet", "the command")
	python := flag.String("python", "python3", "that has scipy, soundfile and lifewatch-pypam")
	archive := flag.String("archive", "", "folder of make_archive.py")
	stations := flag.String("stations", "", "folder of make_stations.py, for correlate")
	peers := flag.String("peers", "scipy-psd,scipy-hmd,pypam,correlate,correlate-matmul", "which of peers.py to run, with commas between them")
	rounds := flag.Int("rounds", 1, "how often to run everything; the fastest counts")
	bare := flag.Bool("bare", false, "only read the archive and compute Welch in memory: used by itself")
	flag.Parse()
	if *bare {
		if err := welchInMemory(*archive); err != nil {
			log.Fatal(err)
		}
		return
	}
	out, err := os.MkdirTemp("", "fleet-bench")
	if err != nil {
		log.Fatal(err)
	}
	defer os.RemoveAll(out)
	self, err := os.Executable()
	if err != nil {
		log.Fatal(err)
	}
	has := func(peer string) bool { return slices.Contains(strings.Split(*peers, ","), peer) }
	var b commands
	if *archive != "" {
		files, err := filepath.Glob(filepath.Join(*archive, "*.wav"))
		if err != nil || len(files) == 0 {
			log.Fatal("no WAV files in ", *archive)
		}
		in := filepath.Join(*archive, "*.wav")
		b.add("cat", "sh", "-c", "cat "+in+" > /dev/null")
		b.add("Welch in memory, and reading", self, "--bare", "--archive", *archive)
		for _, job := range []string{"psd", "hmd"} {
			for _, runner := range []string{"local", "prism"} {
				b.add(job+" "+runner, *fleet, "--in", in, "--job", job, "--out", filepath.Join(out, job+runner), "--runner", runner, "--quiet")
			}
			whole := *fleet + " --in '" + in + "' --job " + job + " --quiet --out " + filepath.Join(out, job+"shard")
			b.add(job+" shard 1/1 and merge", "sh", "-c", whole+" --shard 1/1 && "+*fleet+" merge "+filepath.Join(out, job+"shard"))
		}
		one := []string{"--in", in, "--job", "hmd", "--workers", "1", "--quiet", "--out"}
		b.add("hmd, one worker", *fleet, append(one, filepath.Join(out, "one"), "--runner", "local")...)
		two := *fleet + " --in '" + in + "' --job hmd --workers 1 --quiet --out " + filepath.Join(out, "two") + " --shard "
		b.add("hmd, two workers (shards)", "sh", "-c", two+"1/2 & "+two+"2/2; wait")
		for _, peer := range []string{"scipy-psd", "scipy-hmd", "pypam"} {
			if has(peer) {
				b.add(peer, *python, append([]string{"peers.py", peer}, files...)...)
			}
		}
	}
	if *stations != "" {
		files, err := filepath.Glob(filepath.Join(*stations, "*.npy"))
		if err != nil || len(files) == 0 {
			log.Fatal("no .npy files in ", *stations)
		}
		b.add("correlate", *fleet, "--in", filepath.Join(*stations, "*.npy"), "--job", "correlate", "--rate", "20", "--pattern", "{station}_%Y%m%dT%H%M%S",
			"--out", filepath.Join(out, "correlate"), "--runner", "local", "--quiet")
		for _, peer := range []string{"correlate", "correlate-matmul"} {
			if has(peer) {
				b.add(peer+" NumPy and SciPy", *python, append([]string{"peers.py", peer}, files...)...)
			}
		}
	}
	for range *rounds {
		for _, c := range b {
			if err := os.RemoveAll(out); err != nil {
				log.Fatal(err)
			}
			c.run()
			if *rounds == 1 {
				c.print()
			}
		}
	}
	for _, c := range b {
		if *rounds > 1 {
			c.print()
		}
	}
}

// command is a process to measure, and its fastest run.
type command struct {
	what, name        string
	args              []string
	clock, processors time.Duration
	memory            int64 // MiB
}

type commands []*command

func (b *commands) add(what, name string, args ...string) {
	*b = append(*b, &command{what: what, name: name, args: args})
}

func (c *command) run() {
	p := exec.CommandContext(context.Background(), c.name, c.args...)
	p.Stderr = os.Stderr
	start := time.Now()
	if err := p.Run(); err != nil {
		log.Fatalf("%s: %v", c.what, err)
	}
	clock := time.Since(start)
	if c.clock != 0 && clock >= c.clock {
		return
	}
	c.clock, c.processors = clock, p.ProcessState.UserTime()+p.ProcessState.SystemTime()
	if u, ok := p.ProcessState.SysUsage().(*syscall.Rusage); ok {
		c.memory = u.Maxrss >> 10
	}
}

func (c *command) print() {
	fmt.Printf("%-32s %8.2f s  %8.2f s of processors  %5d MiB\n", c.what, c.clock.Seconds(), c.processors.Seconds(), c.memory)
}

// welchInMemory computes the spectra of every minute of an archive from one
// minute that is in memory, and reads the files: the least that a psd takes.
func welchInMemory(folder string) error {
	files, err := filepath.Glob(filepath.Join(folder, "*.wav"))
	if err != nil {
		return err
	}
	var minute []float32
	minutes, rate := 0, 0.0
	for _, name := range files {
		f, err := audio.Open(name)
		if err != nil {
			return err
		}
		rate = f.Info.Rate
		n := int(rate) * 60
		if minute == nil {
			minute = make([]float32, n)
			if _, err := audio.ReadFull(f, minute); err != nil {
				return err
			}
		}
		minutes += int(f.Info.Frames) / n
		f.Close()
		raw, err := os.Open(name)
		if err != nil {
			return err
		}
		_, err = io.CopyBuffer(struct{ io.Writer }{io.Discard}, struct{ io.Reader }{raw}, make([]byte, 1<<20))
		raw.Close()
		if err != nil {
			return err
		}
	}
	queue, failed := make(chan bool), make(chan error, runtime.NumCPU())
	for range runtime.NumCPU() {
		go func() {
			stream, err := nd.CPU().NewStream()
			for range queue {
				if err == nil {
					x := nd.From(minute, 1, len(minute)).On(stream)
					_, err = nd.Slice[float32](context.Background(), signal.Welch(x, signal.Spectral{FS: rate, NPerSeg: int(rate), Detrend: signal.TrendNone}).Array)
				}
			}
			failed <- err
		}()
	}
	for range minutes {
		queue <- true
	}
	close(queue)
	for range runtime.NumCPU() {
		if err := <-failed; err != nil {
			return err
		}
	}
	return nil
}
