package ir

import (
	"slices"
)

// Long is a program of one FFT with at most a map before it and one behind it
// that work element by element, over lines without margins. A device can run it
// on lines that do not stay on chip: the map before belongs to the transform's
// first load, the one behind to its last store.
type Long struct {
	Load  *Stage // nil if the FFT reads a buffer
	FFT   *Stage
	Store *Stage // nil if the FFT writes a buffer
}

// Long gives nil for any other program.
func (p *Line) Long() *Long {
	if p.Segments != 1 || len(p.Stages) > 3 {
		return nil
	}
	var l Long
	for i := range p.Stages {
		s := &p.Stages[i]
		switch s.Program.(type) {
		case *FFT:
			if l.FFT != nil {
				return nil
			}
			l.FFT = s
		case *Map:
			if l.FFT == nil && l.Load == nil {
				l.Load = s
			} else if l.FFT != nil && l.Store == nil {
				l.Store = s
			} else {
				return nil
			}
		default:
			return nil
		}
	}
	margin := slices.ContainsFunc(p.Slots, func(s Slot) bool { return s.Margin != nil })
	if l.FFT == nil || margin || !p.loads(&l) || !p.stores(&l) {
		return nil
	}
	return &l
}

// whole reports an operand that is a line from its start on.
func whole(o Operand) bool { return o.Offset == 0 && o.Strides[0] == 1 }

func (p *Line) loads(l *Long) bool {
	f := l.FFT.Program.(*FFT)
	slot := l.FFT.Reads[0]
	if f.InLen < f.InNeeded() {
		return false
	}
	if l.Load == nil {
		return p.Slots[slot].Kind == InSlot
	}
	m := l.Load.Program.(*Map)
	return p.Slots[slot].Kind == LocalSlot && len(m.Out) == 1 && l.Load.Writes[0] == slot &&
		whole(m.Out[0]) && whole(f.In) && m.Dims[0] == f.InNeeded()
}

func (p *Line) stores(l *Long) bool {
	f := l.FFT.Program.(*FFT)
	slot := l.FFT.Writes[0]
	if l.Store == nil {
		return p.Slots[slot].Kind == OutSlot && f.Out.Strides[0] == 1
	}
	m := l.Store.Program.(*Map)
	if p.Slots[slot].Kind != LocalSlot || !whole(f.Out) || m.Dims[0] != f.OutLen() {
		return false
	}
	for i, s := range l.Store.Reads {
		if s == slot && !whole(m.In[i]) {
			return false
		}
	}
	return !slices.ContainsFunc(l.Store.Writes, func(s SlotID) bool { return p.Slots[s].Kind != OutSlot })
}
