package driver

import (
	"fmt"
	"slices"
	"unsafe"
)

// Feature is an optional ability of an adapter, numbered as in webgpu.h.
type Feature uint32

// Features that devices ask for where there are any.
const (
	TimestampQuery Feature = 0x9
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

func (k Kind) String() string {
	switch k {
	case Discrete:
		return "discrete GPU"
	case Integrated:
		return "integrated GPU"
	case Software:
		return "software"
	}
	return "GPU"
}

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

	vendorID, deviceID uint32
	library            *Library
	handle             handle
}

// Has reports an ability.
func (a *Adapter) Has(f Feature) bool {
	return slices.Contains(a.Features, f) || f == Subgroups && slices.Contains(a.Features, nativeSubgroup)
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
		n := call(l.enumerate, l.instance, uintptr(unsafe.Pointer(options)), 0)
		if n > 0 {
			handles := make([]handle, n)
			n = min(n, call(l.enumerate, l.instance, uintptr(unsafe.Pointer(options)), uintptr(unsafe.Pointer(&handles[0]))))
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
				call(l.adapterRelease, h)
				continue
			}
			list = append(list, a)
		}
	}
	list = slices.DeleteFunc(list, func(a *Adapter) bool {
		return a.Backend != "Vulkan" && a.Backend != "Metal" && a.Backend != "DX12"
	})
	slices.SortStableFunc(list, func(a, b *Adapter) int { return int(a.rank()) - int(b.rank()) })
	return list
}

// rank puts discrete cards first and software last.
func (a *Adapter) rank() Kind {
	if a.Kind == Software {
		return Unknown + 1
	}
	return a.Kind
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
		call(l.processEvents, l.instance)
	}
}

// mostRounds ends the wait for a callback that does not come.
const mostRounds = 1 << 20

func (l *Library) describe(h handle) *Adapter {
	info := &adapterInfo{}
	call(l.adapterInfo, h, uintptr(unsafe.Pointer(info)))
	a := &Adapter{
		Name: info.device.String(), Vendor: info.vendor.String(), Driver: info.description.String(),
		Backend: backends[info.backend], Kind: Kind(info.kind), library: l, handle: h,
		SubgroupMin: int(info.subgroupMin), SubgroupMax: int(info.subgroupMax),
		vendorID: info.vendorID, deviceID: info.deviceID,
	}
	limits := &Limits{}
	call(l.adapterLimits, h, uintptr(unsafe.Pointer(limits)))
	a.Limits = *limits
	f := &supportedFeatures{}
	call(l.adapterFeatures, h, uintptr(unsafe.Pointer(f)))
	for _, x := range unsafe.Slice(f.list, f.count) {
		a.Features = append(a.Features, Feature(x))
	}
	return a
}

// Open gives a device with all that the adapter allows. It is the caller's own.
func (a *Adapter) Open() (*Device, error) {
	l := a.library
	d := &Device{Library: l, Adapter: a}
	var features []uint32
	for _, f := range []Feature{TimestampQuery, ShaderF16, Subgroups, nativeSubgroup} {
		if slices.Contains(a.Features, f) {
			features = append(features, uint32(f))
		}
	}
	limits := a.Limits
	limits.next = nil
	desc := &deviceDescriptor{limits: &limits, featureCount: uintptr(len(features))}
	if len(features) > 0 {
		desc.features = &features[0]
	}
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
	d.queue = call(l.getQueue, d.handle)
	return d, nil
}
