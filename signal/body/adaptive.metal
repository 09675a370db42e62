// Thomson's adaptive weights: a thread for each bin finds the power s that is the mean of its tapers, each
// with the weight that s has over what leaks in besides. Newton's steps, within the bounds found so far.
// power is (lines, K, F), variance (lines); part has for each taper the energy inside of its band, then
// outside, then the relative change to stop at.
uint bin = thread_position_in_grid.x;
uint line = thread_position_in_grid.y;
long at = long(line) * K * F + bin;
T leak = variance[line];
T s = power[at];
if (K > 1)
    s = (s + power[at + F]) / T(2);
T low = T(0);
T high = T(-1);
bool done = !(s > T(0));
for (int step = 0; step < 100 && !done; step++) {
    T sum = T(0);
    T weights = T(0);
    T slope = T(0);
    for (int k = 0; k < K; k++) {
        T share = s / (part[k] * s + part[K + k] * leak);
        T weight = part[k] * share * share;
        T off = power[at + long(k) * F] - s;
        sum += weight * off;
        weights += weight;
        slope += weight * part[k] * share * off;
    }
    slope = weights + T(2) * slope / s;
    if (sum > T(0))
        low = s;
    else
        high = s;
    T next = s + sum / (slope > T(0) ? slope : weights);
    if (!(next > low) || (high >= T(0) && !(next < high)))
        next = high >= T(0) ? (low + high) / T(2) : s + sum / weights;
    done = !(abs(next - s) > part[2 * K] * next);
    s = next;
}
y[long(line) * F + bin] = s;
