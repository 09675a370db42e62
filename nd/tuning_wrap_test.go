package nd

import (
	"io/fs"
	"os"
	"path/filepath"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/twiddle-go/twiddle/nd/internal/device"
	"github.com/twiddle-go/twiddle/nd/internal/device/cpu"
	"github.com/twiddle-go/twiddle/nd/internal/device/cuda"
)

// optional are the interfaces that a device may have beyond device.Device, and how
// they are found.
var optional = map[reflect.Type]func(device.Device) bool{
	reflect.TypeFor[device.Preparer](): has[device.Preparer],
	reflect.TypeFor[device.Pinner]():   has[device.Pinner],
	reflect.TypeFor[device.Grapher]():  has[device.Grapher],
	reflect.TypeFor[device.Noter]():    has[device.Noter],
	reflect.TypeFor[device.Worker]():   has[device.Worker],
	reflect.TypeFor[device.Thrifty]():  has[device.Thrifty],
	reflect.TypeFor[chooser]():         has[chooser],
}

func has[T any](d device.Device) bool {
	_, ok := device.As[T](d)
	return ok
}

// A device with figures of its own can do whatever the device itself can.
func TestTunedDeviceHidesNothing(t *testing.T) {
	processor := cpu.Open(cpu.Options{Workers: 1})
	defer processor.Close()
	for _, inner := range []device.Device{processor, new(cuda.Device)} {
		outer := tuned(inner)
		kind := reflect.TypeOf(inner)
		var known []string
		for typ, found := range optional {
			if want := kind.Implements(typ); found(outer) != want {
				t.Errorf("%v implements %v: %t; tuned: %t", kind, typ, want, found(outer))
			}
			for i := range typ.NumMethod() {
				known = append(known, typ.Method(i).Name)
			}
		}
		plain := reflect.TypeFor[device.Device]()
		for i := range kind.NumMethod() {
			name := kind.Method(i).Name
			if _, ok := plain.MethodByName(name); !ok && !slices.Contains(known, name) {
				t.Errorf("%v has a method %s that no optional interface has", kind, name)
			}
		}
	}
}

// Optional interfaces are found by device.As and in no other way.
func TestOptionalInterfacesAreFound(t *testing.T) {
	asserted := regexp.MustCompile(`\.\((device\.)?(Preparer|Pinner|Grapher|Noter|Worker|Thrifty|chooser)\)`)
	files := 0
	err := filepath.WalkDir(".", func(path string, _ fs.DirEntry, err error) error {
		if err != nil || !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") {
			return err
		}
		files++
		text, err := os.ReadFile(path)
		if at := asserted.Find(text); at != nil {
			t.Errorf("%s asserts %s: want device.As, which looks behind wrappers", path, at)
		}
		return err
	})
	if err != nil || files < 100 {
		t.Errorf("%d files, %v", files, err)
	}
}
