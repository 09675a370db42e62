package driver

import (
	"cmp"
	"fmt"
	"slices"
	"unsafe"

	"github.com/twiddle-go/twiddle/internal/clib"
)

// Feature is an optional ability of an adapter, numbered as in webgpu.h.
type Feature uint32

// Features that devices ask for where there are any.
const (
	ShaderF16      Feature = 0xB
	Subgroups      Feature = 0x12
	nativeSubgroup Feature = 0x00030021 // what wgpu-native calls it
)

// Kind is what an adapter is.
type Kind uint32

const (
	Discrete Kind = iota + 1
	Integrated
	Software
	Unknown
)

var kinds = map[Kind]string{Discrete: "discrete GPU", Integrated: "integrated GPU", Software: "software"}

func (k Kind) String() string { return cmp.Or(kinds[k], "GPU") }

var backends = map[uint32]string{1: "Null", 2: "WebGPU", 3: "D3D11", 4: "DX12", 5: "Metal", 6: "Vulkan", 7: "OpenGL", 8: "OpenGL ES"}

// Adapter is something that a library can compute on.
type Adapter struct {
	Name        string
	Vendor      string
	Driver      string // and its version, where known
	Backend     string
	Kind        Kind
	SubgroupMin int // threads of a subgroup; 0 if unknown
	SubgroupMax int
	Limits      Limits
	Features    []Feature

	older              Feature // how much less its features' numbers are
	vendorID, deviceID uint32
	library            *Library
	handle             handle
}

// Has reports an ability.
func (a *Adapter) Has(f Feature) bool {
	return slices.Contains(a.Features, f-a.older) || f == Subgroups && slices.Contains(a.Features, nativeSubgroup)
}

// FixedSubgroups reports an adapter whose subgroups have as many threads in every
// kernel. wgpu-native does not tell their sizes: then it is by who made it.
func (a *Adapter) FixedSubgroups() bool {
	const apple, nvidia = 0x106b, 0x10de
	if a.SubgroupMax > 0 {
		return a.SubgroupMin == a.SubgroupMax
	}
	return a.Kind == Software || a.vendorID == apple || a.vendorID == nvidia
}

// Version is that of the library.
func (a *Adapter) Version() string {
	if a.library == nil {
		return "no library"
	}
	return a.library.Version
}

// Adapters lists what there is, GPUs first.
func (l *Library) Adapters() []*Adapter {
	var list []*Adapter
	if l.enumerate != 0 {
		options := &enumerateOptions{backends: nativeBackends}
		n := clib.Call(l.enumerate, l.instance, uintptr(unsafe.Pointer(options)), 0)
		if n > 0 {
			handles := make([]handle, n)
			n = min(n, clib.Call(l.enumerate, l.instance, uintptr(unsafe.Pointer(options)), uintptr(unsafe.Pointer(&handles[0]))))
			for _, h := range handles[:n] {
				list = append(list, l.describe(h))
			}
		}
	} else {
		// webgpu.h itself only has requests for one.
		for _, o := range []*adapterOptions{{level: 2, power: 2}, {level: 2, power: 1}, {level: 2, fallback: 1}} {
			h := l.request(o)
			if h == 0 {
				continue
			}
			a := l.describe(h)
			same := func(b *Adapter) bool {
				return b.vendorID == a.vendorID && b.deviceID == a.deviceID && b.Backend == a.Backend && b.Name == a.Name
			}
			if slices.ContainsFunc(list, same) {
				clib.Call(l.adapterRelease, h)
				continue
			}
			list = append(list, a)
		}
	}
	list = slices.DeleteFunc(list, func(a *Adapter) bool {
		return a.Backend != "Vulkan" && a.Backend != "Metal" && a.Backend != "DX12"
	})
	order := []Kind{Discrete, Integrated, Unknown, Software}
	slices.SortStableFunc(list, func(a, b *Adapter) int { return slices.Index(order, a.Kind) - slices.Index(order, b.Kind) })
	return list
}

func (l *Library) request(o *adapterOptions) (h handle) {
	done := false
	info := &callbackInfo{mode: modeProcessEvents, callback: twoWords(), user1: once(func(o outcome) {
		done = true
		if o.a == statusSuccess {
			h = o.b
		}
	})}
	callWith(l.requestAdapter, info, l.instance, uintptr(unsafe.Pointer(o)))
	l.until(&done)
	return h
}

// until lets callbacks come until done is set. Requests take no work of a GPU, so
// that this is short.
func (l *Library) until(done *bool) {
	for range mostRounds {
		if *done {
			return
		}
		clib.Call(l.processEvents, l.instance)
	}
}

// mostRounds ends the wait for a callback that does not come.
const mostRounds = 1 << 20

func (l *Library) describe(h handle) *Adapter {
	info := &adapterInfo{}
	clib.Call(l.adapterInfo, h, uintptr(unsafe.Pointer(info)))
	a := &Adapter{
		Name: info.device.String(), Vendor: info.vendor.String(), Driver: info.description.String(),
		Backend: backends[info.backend], Kind: Kind(info.kind), library: l, handle: h,
		SubgroupMin: int(info.subgroupMin), SubgroupMax: int(info.subgroupMax),
		vendorID: info.vendorID, deviceID: info.deviceID,
	}
	clib.Call(l.adapterLimits, h, uintptr(unsafe.Pointer(&a.Limits)))
	f := &supportedFeatures{}
	clib.Call(l.adapterFeatures, h, uintptr(unsafe.Pointer(f)))
	for _, x := range unsafe.Slice(f.list, f.count) {
		a.Features = append(a.Features, Feature(x))
	}
	if l.IsDawn() {
		a.older = olderBy(a.Features)
	}
	return a
}

// olderBy is how much less the numbers of Dawn's features were before webgpu.h was
// settled: what every adapter has came last, and comes first now.
func olderBy(features []Feature) Feature {
	newer := func(f Feature) bool { return f > Subgroups && f < nativeSubgroup }
	if slices.Contains(features, Subgroups) && !slices.ContainsFunc(features, newer) {
		return 1
	}
	return 0
}

// Open gives a device with all that the adapter allows. It is the caller's own.
func (a *Adapter) Open() (*Device, error) {
	l := a.library
	d := &Device{Library: l, Adapter: a}
	var features []uint32
	for _, f := range []Feature{ShaderF16 - a.older, Subgroups - a.older, nativeSubgroup} {
		if slices.Contains(a.Features, f) {
			features = append(features, uint32(f))
		}
	}
	limits := a.Limits
	limits.next = nil
	desc := &deviceDescriptor{limits: &limits, featureCount: uintptr(len(features)), features: unsafe.SliceData(features)}
	d.lostCall = once(func(o outcome) {
		if o.b != lostDestroyed {
			d.lose(o.message)
		} else {
			d.lose("the device was destroyed")
		}
	})
	d.errorCall = expect(func(o outcome) { d.fail(uint32(o.b), o.message) })
	desc.lost = callbackInfo{mode: modeProcessEvents, callback: twoWords(), user1: d.lostCall}
	desc.uncaptured = errorCallbackInfo{callback: twoWords(), user1: d.errorCall}
	done, why := false, ""
	info := &callbackInfo{mode: modeProcessEvents, callback: twoWords(), user1: once(func(o outcome) {
		done, d.handle, why = true, o.b, o.message
	})}
	callWith(l.requestDevice, info, a.handle, uintptr(unsafe.Pointer(desc)))
	l.until(&done)
	if d.handle == 0 {
		return nil, fmt.Errorf("%s: %s", a.Name, why)
	}
	d.queue = clib.Call(l.getQueue, d.handle)
	return d, nil
}
