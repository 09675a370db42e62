package simulate

import (
	"bytes"
	"encoding/binary"
	"fmt"

	"github.com/twiddle-go/twiddle/internal/ktree/flat"
	"github.com/twiddle-go/twiddle/internal/ktree/machine"
	"github.com/twiddle-go/twiddle/internal/simd"
	"github.com/twiddle-go/twiddle/internal/simd/vec"
	"github.com/twiddle-go/twiddle/nd/internal/kgen"
	"github.com/twiddle-go/twiddle/nd/internal/lists"
	"github.com/twiddle-go/twiddle/nd/internal/scalar"
)

// Run launches a module on host memory. It returns what the fault cell holds
// afterwards. With check, races and missing barriers are errors.
func Run(m *kgen.Module, reads, writes [][]byte, args []scalar.Arg, check bool) (cell [4]uint64, err error) {
	codes := make([]*machine.Code, len(m.Kernels))
	for i, p := range m.Kernels {
		f, err := flat.Flatten(p)
		if err != nil {
			return cell, fmt.Errorf("simulate: %s: %w", p.Name, err)
		}
		codes[i] = machine.Compile(f, vec.For(simd.Active()))
	}
	scratch := lists.Map(m.Scratch, func(n int) []byte { return bytes.Repeat([]byte{0xd7}, n) })
	tables := lists.Map(m.Tables, func(t kgen.Table) []byte { return t.Data() })
	fault := make([]byte, 32)
	for _, s := range m.Steps {
		if s.Groups == 0 {
			continue
		}
		var params [][]byte
		for _, p := range s.Params {
			switch p.Kind {
			case kgen.ReadPointer:
				params = append(params, reads[p.Index])
			case kgen.WritePointer:
				params = append(params, writes[p.Index])
			case kgen.ScratchPointer:
				params = append(params, scratch[p.Index])
			case kgen.TablePointer:
				params = append(params, tables[p.Index])
			case kgen.FaultCell:
				params = append(params, fault)
			case kgen.Number:
				params = append(params, binary.LittleEndian.AppendUint64(nil, uint64(p.Value)))
			case kgen.MapOf:
				params = append(params, nil) // the kernel says it, too
			case kgen.Argument:
				a := args[p.Index]
				params = append(params, binary.LittleEndian.AppendUint64(binary.LittleEndian.AppendUint64(nil, a[0]), a[1]))
			}
		}
		err := codes[s.Kernel].Run(machine.Launch{Grid: [3]int{s.Groups * s.Threads, 1, 1}, Group: [3]int{s.Threads, 1, 1}, Params: params, Check: check})
		if err != nil {
			return cell, fmt.Errorf("simulate: %s: %w", m.Kernels[s.Kernel].Name, err)
		}
	}
	for i := range cell {
		cell[i] = binary.LittleEndian.Uint64(fault[8*i:])
	}
	return cell, nil
}
