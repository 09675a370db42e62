package recipe

import (
	"fmt"
	"maps"
	"slices"
	"strings"
)

// sharedBytes is the shared memory that a block may ask for, by compute
// capability: "Maximum amount of shared memory per thread block" of the CUDA C++
// Programming Guide, table "Technical Specifications per Compute Capability".
var sharedBytes = map[int]int{
	70: 96 << 10, 72: 96 << 10, 75: 64 << 10,
	80: 163 << 10, 86: 99 << 10, 87: 163 << 10, 89: 99 << 10,
	90: 227 << 10, 100: 227 << 10, 103: 227 << 10, 110: 227 << 10,
	120: 99 << 10, 121: 99 << 10,
}

// PortableCluster is how many blocks a cluster may have on every GPU that has clusters,
// from compute capability 9.0 on: section "Thread Block Clusters" of the same guide.
const PortableCluster = 8

// ClusterBlocks is how many blocks a cluster may have on GPUs of an architecture. Those
// for servers have twice the portable number.
func ClusterBlocks(arch int) int {
	switch {
	case arch < 90:
		return 0
	case arch == 90 || arch == 100 || arch == 103:
		return 2 * PortableCluster
	}
	return PortableCluster
}

// GPUOf is what is known of all GPUs of an architecture such as sm_90, for
// components of 32 or 64 bits.
func GPUOf(arch string, bits int) (GPU, error) {
	var names []string
	for _, a := range slices.Sorted(maps.Keys(sharedBytes)) {
		name := fmt.Sprintf("sm_%d", a)
		if arch == name {
			return GPU{Arch: a, Bits: bits, SharedBytes: sharedBytes[a], Cluster: ClusterBlocks(a)}, nil
		}
		names = append(names, name)
	}
	return GPU{}, fmt.Errorf("recipe: no architecture %q; there are %s", arch, strings.Join(names, ", "))
}
