"""Makes layers.json: results of PyTorch's layers, and gradients with respect to every input.

    pip install torch && python make_goldens.py > layers.json

The gradient is that of the sum of the results times cos(0), cos(1), ...
"""
import json

import torch
import torch.nn.functional as F

torch.set_default_dtype(torch.float64)
torch.manual_seed(1)
cases = []


def case(name, f, *shapes):
    inputs = [torch.randn(s).round(decimals=3).requires_grad_() for s in shapes]
    y = f(*inputs)
    grads = torch.autograd.grad((y.flatten() * torch.cos(torch.arange(y.numel(), dtype=torch.float64))).sum(), inputs)
    cases.append({
        "name": name,
        "inputs": [{"shape": list(v.shape), "data": v.flatten().tolist()} for v in inputs],
        "shape": list(y.shape),
        "result": y.flatten().tolist(),
        "grads": [v.flatten().tolist() for v in grads],
    })


case("conv1", F.conv1d, (2, 3, 11), (4, 3, 3), (4,))
case("conv1 options", lambda x, w, b: F.conv1d(x, w, b, stride=2, padding=3, dilation=2, groups=2), (2, 4, 13), (6, 2, 3), (6,))
case("conv1 dilation", lambda x, w: F.conv1d(x, w, dilation=3), (1, 2, 12), (3, 2, 4))
case("depthwise", lambda x, w, b: F.conv1d(x, w, b, padding=1, groups=3), (2, 3, 8), (3, 1, 3), (3,))
case("conv2", lambda x, w, b: F.conv2d(x, w, b, padding=1), (2, 2, 5, 6), (3, 2, 3, 3), (3,))
case("conv2 options", lambda x, w: F.conv2d(x, w, stride=(2, 1), padding=(0, 2), dilation=(1, 2), groups=2), (2, 4, 7, 6), (2, 2, 3, 2))
case("pointwise", F.conv2d, (2, 3, 4, 5), (2, 3, 1, 1))
case("conv3", lambda x, w: F.conv3d(x, w, stride=2, padding=1), (1, 2, 4, 5, 3), (2, 2, 2, 3, 2))
case("transposed1", lambda x, w, b: F.conv_transpose1d(x, w, b, stride=3, padding=1, output_padding=2), (2, 3, 5), (3, 2, 4), (2,))
case("transposed1 options", lambda x, w: F.conv_transpose1d(x, w, stride=2, dilation=3, groups=2), (2, 4, 5), (4, 3, 3))
case("transposed2", lambda x, w, b: F.conv_transpose2d(x, w, b, stride=(2, 3), padding=(1, 0), output_padding=(1, 2)), (2, 2, 3, 4), (2, 3, 4, 3), (3,))
case("max1", lambda x: F.max_pool1d(x, 3, stride=2, padding=1), (2, 3, 9))
case("max2", lambda x: F.max_pool2d(x, (2, 3)), (2, 2, 5, 7))
case("mean1", lambda x: F.avg_pool1d(x, 4, stride=3, padding=2), (2, 3, 10))
case("mean2", lambda x: F.avg_pool2d(x, 2), (2, 2, 4, 6))
case("batchnorm", lambda x, w, b: F.batch_norm(x, None, None, w, b, training=True), (3, 2, 5), (2,), (2,))
case("batchnorm 2", lambda x: F.batch_norm(x, None, None, training=True, eps=0.1), (6, 3))
case("groupnorm", lambda x, w, b: F.group_norm(x, 2, w, b), (2, 4, 3, 2), (4,), (4,))
case("rmsnorm", lambda x, w: F.rms_norm(x, (5,), w, eps=1e-6), (2, 3, 5), (5,))
case("softmax", lambda x: F.softmax(x, 1), (3, 4, 2))
case("attention", F.scaled_dot_product_attention, (2, 2, 4, 3), (2, 2, 5, 3), (2, 2, 5, 2))
case("attention causal", lambda q, k, v: F.scaled_dot_product_attention(q, k, v, is_causal=True), (2, 4, 3), (2, 4, 3), (2, 4, 3))
case("attention mask", lambda q, k, v, m: F.scaled_dot_product_attention(q, k, v, m, scale=0.3), (2, 4, 3), (2, 5, 3), (2, 5, 3), (4, 5))


def net(kind, parts):
    def f(x, h, *p):
        layer = kind(2, 3, batch_first=True)
        q = dict(zip(("weight_ih_l0", "weight_hh_l0", "bias_ih_l0", "bias_hh_l0"), p[-4:]))
        first = h[None] if parts == 3 else (h[None], p[0][None])
        return torch.func.functional_call(layer, q, (x, first))[0]

    return f


case("gru", net(torch.nn.GRU, 3), (2, 4, 2), (2, 3), (9, 2), (9, 3), (9,), (9,))
case("lstm", net(torch.nn.LSTM, 4), (2, 4, 2), (2, 3), (2, 3), (12, 2), (12, 3), (12,), (12,))
print(json.dumps(cases))
