package fft

// HermitianForward transforms a signal that has Hermitian symmetry, given by
// its first n/2+1 elements, to its n real bins: the roles of Forward's two
// sides exchanged, with the same sign and factor. As numpy.fft.hfft. dst has n
// elements, src has n/2+1; src is not changed.
func (p *RealPlan[R, C]) HermitianForward(dst []R, src []C) error {
	if err := p.check("hermitian forward", src, dst, "src", "dst"); err != nil {
		return err
	}
	scratch := p.scratch.get(p.Bins() + p.need)
	conjugate, rest := (*scratch)[:p.Bins()], (*scratch)[p.Bins():]
	for k, v := range src {
		re, im := parts[R](v)
		conjugate[k] = pair[R, C](re, -im)
	}
	p.forward.Inverse(dst, conjugate, rest)
	p.scratch.put(scratch)
	return nil
}

// HermitianInverse undoes HermitianForward. As numpy.fft.ihfft. dst has n/2+1
// elements, src has n.
func (p *RealPlan[R, C]) HermitianInverse(dst []C, src []R) error {
	if err := p.check("hermitian inverse", dst, src, "dst", "src"); err != nil {
		return err
	}
	scratch := p.scratch.get(p.need)
	p.inverse.Forward(dst, src, *scratch)
	for k, v := range dst {
		re, im := parts[R](v)
		dst[k] = pair[R, C](re, -im)
	}
	p.scratch.put(scratch)
	return nil
}
