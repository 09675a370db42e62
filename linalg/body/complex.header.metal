// Numbers with two parts. S is what is computed in.
S re(T z) { return S(z.x); }
S im(T z) { return S(z.y); }
V number(S re, S im) { return V(re, im); }
