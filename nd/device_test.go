package nd

import "testing"

// Devices are compared by their pointers.
func TestOneDevice(t *testing.T) {
	opened, err := Open("cpu")
	if err != nil {
		t.Fatal(err)
	}
	of, err := Ones(Float32, 3).Device()
	if err != nil {
		t.Fatal(err)
	}
	if cpu := CPU(); opened != cpu || of != cpu || cpu.Stream().Device() != cpu {
		t.Errorf("%p, %p, %p, %p", opened, of, cpu, cpu.Stream().Device())
	}
	if null, err := Open("null"); err != nil || null == opened {
		t.Errorf("%p is null and the CPU, %v", null, err)
	}
}
