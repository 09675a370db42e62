// The passes of a convolution around cuFFT, each as simple as can be.
struct __align__(8) c64 { float re, im; };

// pad writes lines of l samples as lines of n, zeros behind.
extern "C" __global__ void pad(const float* __restrict__ x, float* __restrict__ y, long long total, int l, int n) {
  long long i = blockIdx.x * 256ll + threadIdx.x;
  if (i >= total) return;
  long long line = i / n;
  int at = (int)(i % n);
  y[i] = at < l ? x[line * l + at] : 0.0f;
}

// multiply multiplies every spectrum by its channel's.
extern "C" __global__ void multiply(c64* __restrict__ z, const c64* __restrict__ h, long long total, int bins, int channels) {
  long long i = blockIdx.x * 256ll + threadIdx.x;
  if (i >= total) return;
  c64 a = z[i], b = h[i / bins % channels * bins + i % bins];
  z[i] = {a.re * b.re - a.im * b.im, a.re * b.im + a.im * b.re};
}

// finish cuts lines of n back to l, scales them and adds the channel's bias.
extern "C" __global__ void finish(const float* __restrict__ y, const float* __restrict__ bias, float* __restrict__ out,
                                  long long total, int l, int n, int channels, float scale) {
  long long i = blockIdx.x * 256ll + threadIdx.x;
  if (i >= total) return;
  long long line = i / l;
  out[i] = y[line * n + i % l] * scale + bias[line % channels];
}
