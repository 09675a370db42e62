package cuda

import (
	"context"
	"fmt"
	"os"
	"runtime"
	"strings"
	"sync"
	"testing"
	"time"
	"unsafe"

	"github.com/twiddle-go/twiddle/internal/cuda/driver"
	"github.com/twiddle-go/twiddle/internal/elem"
	"github.com/twiddle-go/twiddle/nd/internal/device"
	"github.com/twiddle-go/twiddle/nd/internal/scalar"
)

// TestHostReport says where the host's time goes, on a GPU and if asked to:
//
//	TWIDDLE_HOST_REPORT=1 go test -v -run TestHostReport ./nd/internal/device/cuda
func TestHostReport(t *testing.T) {
	if os.Getenv("TWIDDLE_HOST_REPORT") == "" {
		t.Skip("TWIDDLE_HOST_REPORT is not set")
	}
	d := openGPU(t)
	defer d.Close()
	fmt.Printf("%s; %d CPUs, GOMAXPROCS %d; %s", d.info.Description, runtime.NumCPU(), runtime.GOMAXPROCS(0), runtime.Version())
	for _, f := range []string{"/proc/version", "/sys/kernel/mm/transparent_hugepage/enabled", "/sys/devices/system/clocksource/clocksource0/current_clocksource"} {
		text, err := os.ReadFile(f)
		fmt.Printf("\n%s: %s", f, strings.TrimSpace(string(text)))
		if err != nil {
			fmt.Print(err)
		}
	}
	fmt.Println()
	b := newBench(t, d)
	reportCalls(b)
	reportGraphs(b)
	reportCopies()
	reportTransfers(b)
}

// nsOf is the least mean time of f in some rounds, in nanoseconds.
func nsOf(times int, f func(), after func()) float64 {
	best := 1e18
	for range 15 {
		start := time.Now()
		for range times {
			f()
		}
		best = min(best, float64(time.Since(start).Nanoseconds())/float64(times))
		if after != nil {
			after()
		}
	}
	return best
}

// reportCalls times what a launch is made of.
func reportCalls(b *bench) {
	d, g, q := b.dev, b.dev.gpu, b.q.(*queue)
	k := b.kernel(addProgram(8)).(*kernel)
	x := b.floats(make([]float32, 8)...)
	l := device.Launch{Kernel: k, Reads: []device.Buffer{x}, Writes: []device.Buffer{x}, Args: []scalar.Arg{scalar.ArgOf(elem.Float32, 1)}, Label: device.Label{Op: "step"}}
	row := func(what string, ns float64) { fmt.Printf("%-64s %8.0f ns\n", what, ns) }
	drain := func() { b.wait() }
	row("time.Now", nsOf(1000, func() { _ = time.Now() }, nil))
	row("lock and unlock of a thread", nsOf(1000, func() { runtime.LockOSThread(); runtime.UnlockOSThread() }, nil))
	row("Enter and Leave (cuCtxSetCurrent)", nsOf(1000, func() { g.Enter(); g.Leave() }, nil))
	row("enter and leave of the device", nsOf(1000, func() { _ = d.enter(); d.leave() }, nil))
	g.Enter()
	e, _ := g.NewEvent(false)
	other, _ := g.NewStream()
	sync := func() { g.SyncStream(q.stream) }
	row("cuStreamQuery, nothing to do", nsOf(1000, func() { g.QueryStream(q.stream) }, nil))
	g.Record(e, q.stream)
	sync()
	row("cuEventQuery, happened", nsOf(1000, func() { g.Query(e) }, nil))
	row("cuEventRecord, nothing to do", nsOf(64, func() { g.Record(e, q.stream) }, sync))
	row("cuStreamWaitEvent, happened", nsOf(64, func() { g.WaitEvent(other, e) }, sync))
	params, _ := bind(make([]uint64, k.words), make([]unsafe.Pointer, k.params), k, &k.steps[0], &l, 0, 0)
	s := &k.steps[0]
	launch := func() { g.Launch(s.function, s.grid, s.block, s.shared, q.stream, params) }
	row("cuLaunchKernel", nsOf(64, launch, sync))
	row("cuLaunchKernel and cuEventRecord", nsOf(64, func() { launch(); g.Record(e, q.stream) }, sync))
	row("cuLaunchKernel, cuStreamQuery until done", nsOf(64, func() {
		launch()
		for g.QueryStream(q.stream) == driver.NotReady {
		}
	}, sync))
	row("cuLaunchKernel, cuEventRecord, cuEventQuery until done", nsOf(64, func() {
		launch()
		g.Record(e, q.stream)
		for g.Query(e) == driver.NotReady {
		}
	}, sync))
	row("cuLaunchKernel, cuStreamSynchronize", nsOf(64, func() { launch(); sync() }, sync))
	g.Leave()
	row("queue.Launch", nsOf(64, func() { b.q.Launch(l) }, drain))
	row("queue.Launch, Record", nsOf(64, func() { b.q.Launch(l); b.q.Record() }, drain))
	row("queue.Launch, Record, Wait", nsOf(64, func() { b.q.Launch(l); _ = b.q.Record().Wait(context.Background()) }, drain))
	row("queue.Launch, Record, Then", nsOf(64, func() { b.q.Launch(l); b.q.Record().Then(func() {}) }, drain))
}

// reportGraphs times chains of small kernels, launched by themselves and as a graph.
// The first row warms up.
func reportGraphs(b *bench) {
	d, g, q := b.dev, b.dev.gpu, b.q.(*queue)
	fmt.Printf("\n%-8s %12s %12s %12s %12s %12s %12s %12s %12s\n", "kernels", "make", "submit", "graph", "first new", "all new", "queue", "until done", "graph")
	for _, n := range []int{8, 1, 2, 3, 4, 6, 8, 14, 32} {
		buffers, launches := b.chain(n, make([]float32, 8)...)
		var nodes []driver.Node
		var words [][]uint64
		var lists [][]unsafe.Pointer
		for i := range launches {
			k := launches[i].Kernel.(*kernel)
			words, lists = append(words, make([]uint64, k.words)), append(lists, make([]unsafe.Pointer, k.params))
			s := &k.steps[0]
			params, _ := bind(words[i], lists[i], k, s, &launches[i], 0, 0)
			nodes = append(nodes, driver.Node{Function: s.function, Grid: s.grid, Block: s.block, Shared: s.shared, Params: params})
		}
		g.Enter()
		sync := func() { g.SyncStream(q.stream) }
		until := func() {
			for g.QueryStream(q.stream) == driver.NotReady {
			}
		}
		start := time.Now()
		graph, r := g.NewGraph(nodes)
		made := time.Since(start)
		if r != driver.Success {
			fmt.Println("no graph:", r)
			g.Leave()
			return
		}
		plain := func() {
			for i := range nodes {
				g.Launch(nodes[i].Function, nodes[i].Grid, nodes[i].Block, nodes[i].Shared, q.stream, nodes[i].Params)
			}
		}
		whole := func() { g.LaunchGraph(&graph, q.stream) }
		submit, asGraph := nsOf(16, plain, sync), nsOf(16, whole, sync)
		first := nsOf(16, func() { g.SetParams(&graph, 0, nodes[0].Params); whole() }, sync)
		all := nsOf(16, func() {
			for i := range nodes {
				g.SetParams(&graph, i, nodes[i].Params)
			}
			whole()
		}, sync)
		done, graphDone := nsOf(16, func() { plain(); until() }, sync), nsOf(16, func() { whole(); until() }, sync)
		g.DestroyGraph(&graph)
		g.Leave()
		queued := 0.0
		if made, err := d.NewGraph(launches); err == nil {
			queued = nsOf(16, func() { made.Launch(b.q, launches) }, b.wait)
			made.Free()
		}
		fmt.Printf("%-8d %9.1f us %9.2f us %9.2f us %9.2f us %9.2f us %9.2f us %9.2f us %9.2f us\n", n, float64(made.Nanoseconds())/1e3,
			submit/1e3, asGraph/1e3, first/1e3, all/1e3, queued/1e3, done/1e3, graphDone/1e3)
		for _, x := range buffers {
			d.Free(x)
		}
	}
}

const reportBytes = 256 << 20

func gbs(bytes int, d time.Duration) float64 { return float64(bytes) / float64(d.Nanoseconds()) }

// reportCopies is how fast the host copies by itself.
func reportCopies() {
	src := elem.Room[byte](reportBytes)
	for i := range src {
		src[i] = byte(i)
	}
	fmt.Printf("\n%-30s %8s %8s %8s %8s %8s\n", "GB/s of the host's copies", "1", "4", "8", "12", "16")
	over := func(name string, fresh bool, before func([]byte)) {
		fmt.Printf("%-30s", name)
		dst := elem.Room[byte](reportBytes)
		clear(dst)
		for _, movers := range []int{1, 4, 8, 12, 16} {
			best := 0.0
			for range 3 {
				if fresh {
					dst = nil
					runtime.GC()
					dst = elem.Room[byte](reportBytes)
				}
				start := time.Now()
				if before != nil {
					wantHugePages(dst)
				}
				s := staging{movers: movers, part: 1 << 20}
				_ = s.inParts(reportBytes, func(next func() (int, int, bool)) error {
					for from, to, ok := next(); ok; from, to, ok = next() {
						if before != nil {
							before(dst[from:to])
						}
						copy(dst[from:to], src[from:to])
					}
					return nil
				})
				best = max(best, gbs(reportBytes, time.Since(start)))
			}
			fmt.Printf(" %8.1f", best)
		}
		fmt.Println()
	}
	over("into used memory", false, nil)
	over("into fresh memory", true, nil)
	over("with large pages", true, func([]byte) {})
	over("and made in parts", true, populate)
}

// reportTransfers tries sizes of parts and numbers of goroutines.
func reportTransfers(b *bench) {
	d := b.dev
	x, err := d.Alloc(reportBytes)
	if err != nil {
		b.Fatal(err)
	}
	ctx := context.Background()
	src := elem.Room[byte](reportBytes)
	for i := range src {
		src[i] = byte(i)
	}
	used := elem.Room[byte](reportBytes)
	clear(used)
	b.q.Write(x, src) // makes the pinned memory
	b.wait()
	fmt.Printf("\n%-12s %8s %10s %10s %10s %12s\n", "part", "movers", "write", "and done", "read", "read fresh")
	for _, part := range []int{512 << 10, 1 << 20, 2 << 20, 4 << 20} {
		for _, movers := range []int{2, 4, 6, 8, 12, 16} {
			d.staging.part, d.staging.movers = part, movers
			write, whole, read, fresh := 0.0, 0.0, 0.0, 0.0
			for range 4 {
				start := time.Now()
				b.q.Write(x, src)
				write = max(write, gbs(reportBytes, time.Since(start)))
				b.wait()
				whole = max(whole, gbs(reportBytes, time.Since(start)))
				start = time.Now()
				if err := b.q.Read(ctx, used, x); err != nil {
					b.Fatal(err)
				}
				read = max(read, gbs(reportBytes, time.Since(start)))
				start = time.Now()
				if err := b.q.Read(ctx, elem.Room[byte](reportBytes), x); err != nil {
					b.Fatal(err)
				}
				fresh = max(fresh, gbs(reportBytes, time.Since(start)))
			}
			fmt.Printf("%-12d %8d %10.1f %10.1f %10.1f %12.1f GB/s\n", part, movers, write, whole, read, fresh)
		}
	}
	d.staging.part, d.staging.movers = 0, 0
	reportPinned(b, x, src)
}

func reportPinned(b *bench, x device.Buffer, src []byte) {
	d, ctx := b.dev, context.Background()
	mem := within(elem.Room[byte](reportBytes+hugePage), 4096)[:reportBytes]
	start := time.Now()
	if err := d.Pin(mem); err != nil {
		fmt.Println("pinning:", err)
		return
	}
	fmt.Printf("\npinning 256 MiB: %v\n", time.Since(start))
	copy(mem, src)
	write, read := 0.0, 0.0
	for range 5 {
		start = time.Now()
		b.q.Write(x, mem)
		write = max(write, gbs(reportBytes, time.Since(start)))
		start = time.Now()
		if err := b.q.Read(ctx, mem, x); err != nil {
			b.Fatal(err)
		}
		read = max(read, gbs(reportBytes, time.Since(start)))
	}
	fmt.Printf("pinned: write %.1f, read %.1f GB/s\n", write, read)
	other, err := d.NewQueue()
	if err != nil {
		b.Fatal(err)
	}
	y, err := d.Alloc(reportBytes)
	if err != nil {
		b.Fatal(err)
	}
	start = time.Now()
	var wg sync.WaitGroup
	wg.Go(func() { b.q.Write(x, mem[:reportBytes/2]) })
	wg.Go(func() { _ = other.Read(ctx, mem[reportBytes/2:], y) })
	wg.Wait()
	fmt.Printf("half of it each way at once: %.1f GB/s\n", gbs(reportBytes, time.Since(start)))
	start = time.Now()
	d.Unpin(mem)
	fmt.Printf("unpinning: %v\n", time.Since(start))
	g := d.gpu
	g.Enter()
	defer g.Leave()
	start = time.Now()
	m, r := g.HostAlloc(reportBytes)
	fmt.Printf("cuMemHostAlloc of 256 MiB: %v, %v\n", time.Since(start), r.Err())
	if r == driver.Success {
		start = time.Now()
		g.HostFree(m)
		fmt.Printf("cuMemFreeHost: %v\n", time.Since(start))
	}
}
