// The passes of Welch's method and of picking peaks around cuFFT, each as
// simple as can be.
struct __align__(8) c64 { float re, im; };

// sum adds up what 256 threads have.
static __device__ float sum(float v) {
  __shared__ float part[256];
  part[threadIdx.x] = v;
  for (int half = 128; half; half /= 2) {
    __syncthreads();
    if (threadIdx.x < half) part[threadIdx.x] += part[threadIdx.x + half];
  }
  __syncthreads();
  return part[0];
}

// segment takes the mean off a segment and multiplies it by the window; a block
// is one.
extern "C" __global__ void segment(const float* __restrict__ x, const float* __restrict__ w, float* __restrict__ out,
                                   int n, int segments, int samples) {
  long long s = blockIdx.x;
  x += s / segments * samples + s % segments * (n / 2);
  out += s * n;
  float mean = 0;
  for (int i = threadIdx.x; i < n; i += 256) mean += x[i];
  mean = sum(mean) / n;
  for (int i = threadIdx.x; i < n; i += 256) out[i] = (x[i] - mean) * w[i];
}

// power averages squares over segments.
extern "C" __global__ void power(const c64* __restrict__ z, float* __restrict__ p, long long total, int bins, int segments) {
  long long i = blockIdx.x * 256ll + threadIdx.x;
  if (i >= total) return;
  z += i / bins * segments * bins + i % bins;
  float v = 0;
  for (int s = 0; s < segments; s++) v += z[(long long)s * bins].re * z[(long long)s * bins].re + z[(long long)s * bins].im * z[(long long)s * bins].im;
  p[i] = v / segments;
}

// peaks finds the k highest maxima of a line, one after the other; a block is a
// line.
extern "C" __global__ void peaks(const float* __restrict__ p, float* __restrict__ heights, int* __restrict__ places, int bins, int k) {
  __shared__ float high[256];
  __shared__ int at[256];
  extern __shared__ float line[];
  p += (long long)blockIdx.x * bins;
  for (int i = threadIdx.x; i < bins; i += 256)
    line[i] = i > 0 && i < bins - 1 && p[i] > p[i - 1] && p[i] > p[i + 1] ? p[i] : 0.0f;
  for (int r = 0; r < k; r++) {
    __syncthreads();
    int best = threadIdx.x < bins ? threadIdx.x : 0;
    for (int i = threadIdx.x; i < bins; i += 256)
      if (line[i] > line[best]) best = i;
    high[threadIdx.x] = line[best];
    at[threadIdx.x] = best;
    for (int half = 128; half; half /= 2) {
      __syncthreads();
      if (threadIdx.x < half && high[threadIdx.x + half] > high[threadIdx.x]) {
        high[threadIdx.x] = high[threadIdx.x + half];
        at[threadIdx.x] = at[threadIdx.x + half];
      }
    }
    if (threadIdx.x == 0) {
      heights[(long long)blockIdx.x * k + r] = high[0];
      places[(long long)blockIdx.x * k + r] = at[0];
      line[at[0]] = 0.0f;
    }
  }
}
