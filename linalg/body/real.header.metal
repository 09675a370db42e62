// Numbers with one part. S is what is computed in.
S re(T z) { return S(z); }
S im(T z) { return S(0); }
V number(S re, S im) { return V(re); }
