package beamrun_test

import (
	"context"
	"encoding/json"
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/twiddle-go/twiddle/fleet"
	"github.com/twiddle-go/twiddle/fleet/command"
	"github.com/twiddle-go/twiddle/fleet/internal/testarchive"
	_ "github.com/twiddle-go/twiddle/fleet/jobs"
)

// slow is a psd that takes its time, so that a worker can be killed while it
// computes. It waits while there are more parts than a test allows.
type slow struct{}

// heldVar names a file with the folder of results and the number of parts that it may
// have, one below the other; where there is none, work goes on.
const heldVar = "FLEET_TEST_HELD"

// held reports whether there are enough parts.
func held() bool {
	text, err := os.ReadFile(os.Getenv(heldVar))
	if err != nil {
		return false
	}
	lines := strings.Split(string(text), "\n")
	if len(lines) < 3 { // it is being written
		return true
	}
	most, err := strconv.Atoi(lines[1])
	return err != nil || parts(lines[0]) > most
}

// parts is how many there are of a result.
func parts(out string) int {
	names, _ := filepath.Glob(filepath.Join(out, ".fleet", "parts", "*", "*", "*.part"))
	return len(names)
}

func (j *slow) Prepare(s *fleet.Series) (*fleet.Layout, fleet.Compute, error) {
	psd, err := fleet.NewJob("psd", json.RawMessage(`{"nfft":100}`))
	if err != nil {
		return nil, nil, err
	}
	l, compute, err := psd.Prepare(s)
	return l, func(ctx context.Context, w *fleet.Window, row fleet.Row) error {
		for ok := true; ok; ok = held() {
			time.Sleep(5 * time.Millisecond)
		}
		return compute(ctx, w, row)
	}, err
}

func init() { fleet.Register("slow", func() fleet.Job { return &slow{} }) }

// The test binary is the command as well: a prism server, a pool of workers, a
// worker, or who submits a job.
func TestMain(m *testing.M) {
	if os.Getenv("FLEET_TEST_COMMAND") != "" {
		os.Exit(command.Main(os.Args[1:]))
	}
	os.Exit(m.Run())
}

func start(t *testing.T, args ...string) *exec.Cmd {
	t.Helper()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	c := exec.Command(self, args...)
	c.Env = append(os.Environ(), "FLEET_TEST_COMMAND=1")
	c.Stderr = &output{}
	if err := c.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = c.Process.Kill()
		_ = c.Wait()
	})
	return c
}

// output keeps what a process writes.
type output struct {
	mu  sync.Mutex
	all strings.Builder
}

func (o *output) Write(b []byte) (int, error) {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.all.Write(b)
}

func said(c *exec.Cmd) string {
	o := c.Stderr.(*output)
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.all.String()
}

func freePort(t *testing.T) int {
	l, err := net.Listen("tcp", "localhost:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	return l.Addr().(*net.TCPAddr).Port
}

// flags are those of a run of job slow.
func flags(in, out string, more ...string) []string {
	return append([]string{"run", "--in", in, "--out", out, "--job", "slow", "--pattern", testarchive.Pattern, "--format", "zarr,parquet", "--unit", "15m", "--workers", "2"}, more...)
}

func reference(t *testing.T, in string) string {
	out := t.TempDir()
	c := start(t, flags(in, out, "--runner", "local")...)
	if err := c.Wait(); err != nil {
		t.Fatalf("%v: %s", err, said(c))
	}
	return out
}

func TestPrismInProcess(t *testing.T) {
	in, out := t.TempDir(), t.TempDir()
	testarchive.Make(t, in)
	want := reference(t, in)
	c := start(t, flags(in, out)...)
	if err := c.Wait(); err != nil {
		t.Fatalf("%v: %s", err, said(c))
	}
	testarchive.Compare(t, want, out)
}

var started = regexp.MustCompile(`worker started.*process=(\d+)`)

// A prism server and a pool of workers in processes of their own: workers are
// killed while they compute, and the result has the same bytes.
func TestKilledWorkers(t *testing.T) {
	in, out := t.TempDir(), t.TempDir()
	testarchive.Make(t, in)
	want := reference(t, in)
	// However slow this process is, the job does not end before the workers are killed.
	file := filepath.Join(t.TempDir(), "held")
	hold := func(most int) {
		if err := os.WriteFile(file, fmt.Appendf(nil, "%s\n%d\n", out, most), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	hold(0)
	t.Setenv(heldVar, file)
	prismPort, poolPort := freePort(t), freePort(t)
	prism := start(t, "prism", "--port", strconv.Itoa(prismPort))
	pool := start(t, "pool", "--listen", fmt.Sprintf("localhost:%d", poolPort))
	for _, port := range []int{prismPort, poolPort} {
		wait(t, "a server on port "+strconv.Itoa(port), func() bool {
			c, err := net.Dial("tcp", fmt.Sprintf("localhost:%d", port))
			if err == nil {
				c.Close()
			}
			return err == nil
		})
	}
	job := start(t, flags(in, out, "--runner", "universal", "--endpoint", fmt.Sprintf("localhost:%d", prismPort),
		"--environment_type", "external", "--environment_config", fmt.Sprintf("localhost:%d", poolPort))...)
	ended := make(chan error, 1)
	go func() { ended <- job.Wait() }()
	t.Cleanup(func() {
		if t.Failed() {
			for _, c := range []*exec.Cmd{job, prism, pool} {
				t.Logf("%v:\n%s", c.Args[1], said(c))
			}
		}
	})
	killed := 0
	for last := 0; killed < 2; {
		wait(t, "another part", func() bool { return parts(out) > last && started.MatchString(said(pool)) })
		all := started.FindAllStringSubmatch(said(pool), -1)
		pid, err := strconv.Atoi(all[len(all)-1][1])
		if err != nil {
			t.Fatal(err)
		}
		p, err := os.FindProcess(pid)
		if err != nil || p.Kill() != nil {
			continue // it has ended by itself: the next one is killed
		}
		killed++
		before := len(all)
		wait(t, "another worker", func() bool {
			return len(started.FindAllString(said(pool), -1)) > before
		})
		// Of the new worker's own parts: prism waits a minute for one that is killed before it has come.
		last = parts(out)
		hold(last)
	}
	if err := os.Remove(file); err != nil {
		t.Fatal(err)
	}
	select {
	case err := <-ended:
		if err != nil {
			t.Fatal(err)
		}
	case <-time.After(4 * time.Minute):
		t.Fatal("the job does not end")
	}
	testarchive.Compare(t, want, out)
}

func wait(t *testing.T, what string, ready func() bool) {
	t.Helper()
	for end := time.Now().Add(2 * time.Minute); !ready(); time.Sleep(5 * time.Millisecond) {
		if time.Now().After(end) {
			t.Fatalf("no %s after two minutes", what)
		}
	}
}
