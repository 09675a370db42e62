package machine_test

import (
	"encoding/binary"
	"math"
	"strings"
	"testing"

	"github.com/twiddle-go/twiddle/internal/ktree"
	"github.com/twiddle-go/twiddle/internal/ktree/build"
	"github.com/twiddle-go/twiddle/internal/ktree/flat"
	"github.com/twiddle-go/twiddle/internal/ktree/machine"
	"github.com/twiddle-go/twiddle/internal/ktree/printer"
	"github.com/twiddle-go/twiddle/internal/simd"
	"github.com/twiddle-go/twiddle/internal/simd/vec"
)

const groups, threads = 4, 64

// turning is a kernel whose groups hand a number to each thread of another group of
// their cluster, with a fault if asked for one.
func turning(fault string) *ktree.Program {
	k := build.NewKernel("turning", threads)
	k.Cluster(groups)
	pair := ktree.Vector(ktree.Float, 2)
	in, out := k.Buffer("x", pair, false), k.Buffer("y", pair, true)
	k.Pool(threads * 8)
	pool := build.Address(k.View("pool", pair))
	t := k.Let("t", k.Thread().To(ktree.Int))
	at := k.Let("at", k.Group().To(ktree.Int).Mul(threads).Add(t))
	other := k.Let("other", k.Rank().Add(1).Rem(groups))
	switch fault {
	case "begun":
	case "busy": // everybody still reads what the push overwrites
		k.Meet()
		k.Set(pool.At(t), in.At(at))
		k.Barrier()
		k.Set(out.At(at), pool.At(whole(threads-1).Sub(t)))
	case "early": // arrives before it has read
		k.Set(pool.At(t), in.At(at))
		k.Barrier()
		k.Arrive()
		k.Set(out.At(at), pool.At(whole(threads-1).Sub(t)))
		k.AwaitCluster()
	case "some":
		k.If(k.Rank().Eq(0), k.Return)
		k.Meet()
	case "apart":
		k.If(t.Lt(7), k.Meet)
	case "twice":
		k.Arrive()
		k.Arrive()
	case "never":
		k.AwaitCluster()
	case "halves":
		k.Arrive()
		k.AwaitCluster()
	default:
		k.Meet()
	}
	if strings.HasPrefix(fault, "count") { // pushes count themselves
		k.Counted(threads * 8)
	}
	switch fault {
	case "counted more":
		k.Counted(threads*8 + 8)
	case "counted less":
		k.Counted(threads*8 - 8)
	}
	if fault == "rank" {
		other = k.Let("other", other.Add(1))
	}
	place := t
	if fault == "place" {
		place = k.Let("place", t.Add(1))
	}
	k.Push(other, pool.At(place), k.Let("z", in.At(at)))
	switch fault {
	case "gone":
		k.Return()
	case "group", "counted, not collected":
		k.Barrier()
	case "counted", "counted more", "counted less", "collected":
		k.Collect()
	case "halved":
		k.Arrive()
		k.AwaitCluster()
	case "unread": // the next push comes while others still read this one
		k.Meet()
		k.Set(out.At(at), pool.At(t))
		k.Push(other, pool.At(t), k.Let("z", in.At(at)))
		k.Meet()
	default:
		k.Meet()
	}
	if fault != "gone" {
		k.Set(out.At(at), pool.At(t))
	}
	return k.Program()
}

func whole(n int) build.Val { return build.Int(ktree.Int, int64(n)) }

func turn(t *testing.T, p *ktree.Program, clusters int, checked bool) ([]float32, error) {
	t.Helper()
	f, err := flat.Flatten(p)
	if err != nil {
		return nil, err
	}
	var x []byte
	for i := range clusters * groups * threads * 2 {
		x = binary.LittleEndian.AppendUint32(x, math.Float32bits(float32(i)))
	}
	y := make([]byte, len(x))
	err = machine.Compile(f, vec.For(simd.Active())).Run(machine.Launch{
		Grid: [3]int{clusters * groups * threads, 1, 1}, Group: [3]int{threads, 1, 1}, Params: [][]byte{x, y}, Check: checked,
	})
	var out []float32
	for i := 0; i < len(y); i += 4 {
		out = append(out, math.Float32frombits(binary.LittleEndian.Uint32(y[i:])))
	}
	return out, err
}

// Groups of a cluster store in each other's memory.
func TestClusters(t *testing.T) {
	for _, fault := range []string{"", "halves", "counted"} {
		for _, checked := range []bool{false, true} {
			y, err := turn(t, turning(fault), 3, checked)
			if err != nil {
				t.Fatal(err)
			}
			for i, v := range y {
				const each = threads * 2
				cluster, rank := i/(groups*each), i/each%groups
				if want := cluster*groups*each + (rank+groups-1)%groups*each + i%each; v != float32(want) {
					t.Fatalf("element %d is %v, want %d", i, v, want)
				}
			}
		}
	}
	c := turning("")
	l := machine.Launch{Grid: [3]int{6 * threads, 1, 1}, Group: [3]int{threads, 1, 1}, Params: [][]byte{make([]byte, 1<<12), make([]byte, 1<<12)}}
	f, err := flat.Flatten(c)
	if err != nil {
		t.Fatal(err)
	}
	if err := machine.Compile(f, vec.For(simd.Active())).Run(l); err == nil || !strings.Contains(err.Error(), "6 groups, in clusters of 4") {
		t.Errorf("a cluster and a half: %v", err)
	}
}

// What goes wrong on a GPU now and then goes wrong here every time.
func TestClusterFaults(t *testing.T) {
	for fault, want := range map[string]string{
		"begun":                  "may not have begun",
		"busy":                   "is written here and by a thread of another group with no barrier between",
		"early":                  "was read by a thread of another group",
		"some":                   "has left without arriving",
		"apart":                  "a barrier of the cluster inside a condition that differs between threads",
		"twice":                  "arrives twice",
		"never":                  "has not arrived",
		"rank":                   "a push to group 4 of a cluster of 4",
		"place":                  "index 64 is outside pool, which has 64 elements",
		"gone":                   "which is pushed to, may have left",
		"group":                  "is read before it is written",
		"halved":                 "arrives without waiting, which hands nothing on",
		"counted more":           "wait for each other: 512 of 520 bytes are pushed to group 0",
		"counted less":           "more than 504 bytes are pushed to group",
		"counted, not collected": "is read before it is written",
		"collected":              "collects what does not count itself",
		"unread":                 "was written by a thread of another group with no barrier between",
	} {
		if _, err := turn(t, turning(fault), 1, true); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %q", fault, err, want)
		}
	}
	p := turning("")
	p.Cluster = 0
	if _, err := turn(t, p, 1, true); err == nil || !strings.Contains(err.Error(), "no pool of a cluster") {
		t.Errorf("no cluster: %v", err)
	}
}

// CUDA has clusters; WGSL says that it has none.
func TestClusterPrinted(t *testing.T) {
	p := turning("halves")
	text := printer.CUDAUnit(p)
	for _, want := range []string{"__cluster_dims__(4, 1, 1)", "tw::cluster_arrive();", "tw::cluster_wait();", "tw::push(&(&pool[0])[t], other, z);"} {
		if !strings.Contains(text, want) {
			t.Errorf("no %q in\n%s", want, text)
		}
	}
	text = printer.CUDAUnit(turning("counted"))
	for _, want := range []string{"tw::count(&tw_counted, 512);", "tw::push_counted(&(&pool[0])[t], other, z, &tw_counted);", "tw::collect(&tw_counted);"} {
		if !strings.Contains(text, want) {
			t.Errorf("no %q in\n%s", want, text)
		}
	}
	f, err := flat.Flatten(p)
	if err != nil {
		t.Fatal(err)
	}
	if s, err := printer.WGSL(f, [3]int{}); err == nil || !strings.Contains(err.Error(), "push into each other's memory") {
		t.Errorf("WGSL: %v\n%s", err, s)
	}
}
