package measure

import (
	"fmt"
	"math"
)

// Bearing is the geometry of a rolling bearing. Diameters are in any unit, the same for
// both.
type Bearing struct {
	Elements int     // balls or rollers, of one row
	Diameter float64 // of an element
	Pitch    float64 // diameter of the circle that the elements' middles are on
	Angle    float64 // of contact, in degrees
}

// Faults is how often something passes a damage of a bearing whose outer ring stands still,
// in Hz, without slip. Real bearings slip by a percent or two.
type Faults struct {
	Shaft float64 `json:"shaft"` // turns of the inner ring
	Cage  float64 `json:"ftf"`   // turns of the cage: the fundamental train frequency
	Spin  float64 `json:"bsf"`   // turns of an element; a damage of one strikes a ring twice in a turn
	Outer float64 `json:"bpfo"`  // elements over a point of the outer ring
	Inner float64 `json:"bpfi"`  // elements over a point of the inner ring
}

// Faults gives the frequencies at a speed of the inner ring in turns per minute.
func (b Bearing) Faults(rpm float64) (Faults, error) {
	ratio := b.Diameter / b.Pitch * math.Cos(b.Angle*math.Pi/180)
	switch {
	case b.Elements < 1 || !(b.Diameter > 0) || !(b.Pitch > b.Diameter) || math.IsInf(b.Pitch, 0):
		return Faults{}, fmt.Errorf("measure: bearing: %d elements of diameter %g on a circle of %g: want 1 or more, smaller than the circle", b.Elements, b.Diameter, b.Pitch)
	case !(b.Angle >= 0 && b.Angle < 90):
		return Faults{}, fmt.Errorf("measure: bearing: an angle of %g degrees: want 0 to 90", b.Angle)
	case !(rpm > 0) || math.IsInf(rpm, 0):
		return Faults{}, fmt.Errorf("measure: bearing: %g turns per minute: want a positive number", rpm)
	}
	f, n := rpm/60, float64(b.Elements)
	return Faults{Shaft: f, Cage: f / 2 * (1 - ratio), Outer: n * f / 2 * (1 - ratio), Inner: n * f / 2 * (1 + ratio),
		Spin: f / 2 * b.Pitch / b.Diameter * (1 - ratio*ratio)}, nil
}
