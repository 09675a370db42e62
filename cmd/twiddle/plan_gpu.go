package main

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/twiddle-go/twiddle/internal/recipe"
	"github.com/twiddle-go/twiddle/nd"
)

// gpuPlan is how a GPU transforms a length.
type gpuPlan struct {
	Device string `json:"device"`
	Arch   string `json:"arch"`
	// Present says that the device is there; if not, Arch was asked for or assumed.
	Present     bool        `json:"present"`
	SharedBytes int         `json:"shared_bytes"` // that a block may ask for
	Launches    []gpuLaunch `json:"launches"`
}

// gpuLaunch is a kernel of the transform of many lines.
type gpuLaunch struct {
	recipe.Launch
	BlockThreads int `json:"threads_per_block"`
	SharedBytes  int `json:"shared_bytes_per_block"`
}

// assumedArch is the architecture that recipes were tuned for: H100, H200.
const assumedArch = "sm_90"

// gpuTarget finds what is known of a GPU by its name, or by its architecture
// alone.
func gpuTarget(device, arch string, bits int) (recipe.GPU, *gpuPlan, error) {
	if strings.HasPrefix(device, "webgpu:") {
		return adapterTarget(device, arch, bits)
	}
	number, ok := strings.CutPrefix(device, "cuda:")
	if _, err := strconv.ParseUint(number, 10, 16); device == "cpu" {
		return recipe.GPU{}, nil, usagef("--arch is for GPUs; want --device cuda:0 with it")
	} else if !ok || err != nil {
		return recipe.GPU{}, nil, usagef("--device %q: want cpu, or a GPU such as cuda:0 or webgpu:0", device)
	}
	p := &gpuPlan{Device: device, Arch: arch}
	if arch == "" {
		p.Arch = assumedArch
		all := slices.DeleteFunc(nd.Devices(), func(d nd.DeviceInfo) bool { return d.Arch == 0 })
		i := slices.IndexFunc(all, func(d nd.DeviceInfo) bool { return d.Name == device })
		switch {
		case i >= 0:
			p.Present, p.Arch, p.SharedBytes = true, fmt.Sprintf("sm_%d", all[i].Arch), all[i].SharedBytes
			return recipe.GPU{Arch: all[i].Arch, Bits: bits, SharedBytes: all[i].SharedBytes, Cluster: recipe.ClusterBlocks(all[i].Arch)}, p, nil
		case len(all) > 0:
			return recipe.GPU{}, nil, fmt.Errorf("plan: no device %q among %d GPUs; --arch plans for one that is not there", device, len(all))
		}
	}
	g, err := recipe.GPUOf(p.Arch, bits)
	if err != nil {
		return g, nil, usagef("--arch: %v", err)
	}
	p.SharedBytes = g.SharedBytes
	return g, p, nil
}

// adapterTarget is what is known of an adapter, which need not be there.
func adapterTarget(device, arch string, bits int) (recipe.GPU, *gpuPlan, error) {
	if _, err := strconv.ParseUint(strings.TrimPrefix(device, "webgpu:"), 10, 16); err != nil {
		return recipe.GPU{}, nil, usagef("--device %q: want cpu, or a GPU such as cuda:0 or webgpu:0", device)
	}
	if arch != "" {
		return recipe.GPU{}, nil, usagef("--arch is for NVIDIA's GPUs; want --device cuda:0 with it")
	}
	if bits != 32 {
		return recipe.GPU{}, nil, usagef("WebGPU has no float64: want --dtype c64 or r32")
	}
	p := &gpuPlan{Device: device, Arch: "any adapter", SharedBytes: 32 << 10}
	if dev, err := nd.Open(device); err == nil {
		p.Present, p.Arch, p.SharedBytes = true, dev.Info().Description, dev.Info().SharedBytes
	}
	return recipe.GPU{Bits: bits, SharedBytes: p.SharedBytes, Threads: 256}, p, nil
}

func describeGPUPlan(n int, d dtype, device, arch string) (*planReport, error) {
	g, plan, err := gpuTarget(device, arch, d.bits)
	if err != nil {
		return nil, err
	}
	g.Way = recipe.There
	r, err := g.For(n, d.real)
	if err != nil {
		return nil, err
	}
	report := &planReport{N: n, DType: d.name, Line: n, Recipe: r.String(), Tree: r.Tree(), ScratchBytes: g.ScratchBytes(r), GPU: plan}
	if r.Kind == recipe.Packed {
		report.Line = n / 2
	}
	for _, l := range g.Launches(r) {
		plan.Launches = append(plan.Launches, gpuLaunch{l, l.BlockThreads(), l.SharedBytes()})
	}
	return report, nil
}

// roles say for people what a launch does.
var roles = map[recipe.Role]string{
	recipe.WholeLine: "whole lines",
	recipe.Axis:      "along an axis",
	recipe.LastAxis:  "along the last axis",
	recipe.Row:       "rows, there and back",
	recipe.AxisBack:  "back along an axis",
	recipe.Reals:     "rows of real columns",
	recipe.InCluster: "lines, in clusters",
	recipe.Untangle:  "untangle the bins",
}

func (r *planReport) writeGPU(b *strings.Builder) {
	p := r.GPU
	how := p.Arch
	if !p.Present {
		how = "planned as for " + p.Arch
	}
	fmt.Fprintf(b, "%d %s on %s, %s: up to %d KiB of shared memory a block\n", r.N, r.DType, p.Device, how, p.SharedBytes>>10)
	if r.Line != r.N {
		fmt.Fprintf(b, "as a complex line of %d\n", r.Line)
	}
	fmt.Fprintf(b, "recipe %s\n%s\n", r.Recipe, strings.TrimRight(r.Tree, "\n"))
	fmt.Fprintf(b, "%-4s %-21s %6s %-11s %8s %9s %8s %8s %8s\n", "pass", "transforms", "length", "radices", "threads", "elements", "lines", "threads", "shared")
	fmt.Fprintf(b, "%-4s %-21s %6s %-11s %8s %9s %8s %8s %8s\n", "", "", "", "", "a line", "a thread", "a block", "a block", "bytes")
	for i, l := range p.Launches {
		radices := strings.Trim(fmt.Sprint(l.Radices), "[]")
		fmt.Fprintf(b, "%-4d %-21s %6d %-11s %8d %9d %8d %8d %8d\n", i+1, roles[l.Role], l.Length, radices, l.Threads, l.Held, l.Lines, l.BlockThreads, l.SharedBytes)
	}
	if r.ScratchBytes > 0 {
		fmt.Fprintf(b, "%d bytes of scratch a line\n", r.ScratchBytes)
	}
}
