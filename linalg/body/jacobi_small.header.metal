// 1 / sqrt(x) to six digits, without a branch or a division.
float inverse_root(float x) {
    float y = as_type<float>(0x5f3759dfu - (as_type<uint>(x) >> 1));
    for (uint turn = 0; turn < 3; turn++)
        y = y * fma(-0.5f * x, y * y, 1.5f);
    return y;
}
