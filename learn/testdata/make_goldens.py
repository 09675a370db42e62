"""Makes torch.json: the course of PyTorch's optimizers on a small problem.

    pip install torch && python make_goldens.py > torch.json

The loss is sum (w0 - t)^2 * s + (w0[0]*w0[1] - 1)^2 over a real parameter, and
sum |z|^4/4 - Re(z*c) over a complex one.
"""
import json

import torch

torch.set_default_dtype(torch.float64)
t = torch.tensor([1.0, -2.0, 0.5, 3.0])
s = torch.tensor([1.0, 10.0, 0.1, 4.0])
c = torch.tensor([1 + 2j, -0.5j], dtype=torch.complex128)


def course(make, steps=8, clip=None):
    w = torch.tensor([0.3, 0.1, -0.7, 0.2], requires_grad=True)
    z = torch.tensor([0.4 + 0.1j, -0.2 + 0.9j], dtype=torch.complex128, requires_grad=True)
    opt = make([w, z])
    losses = []
    for _ in range(steps):
        opt.zero_grad()
        loss = ((w - t) ** 2 * s).sum() + (w[0] * w[1] - 1) ** 2 + (z.abs() ** 4 / 4).sum() - (z * c).real.sum()
        loss.backward()
        if clip == "norm":
            torch.nn.utils.clip_grad_norm_([w, z], 1.5)
        losses.append(loss.item())
        opt.step()
    return {"losses": losses, "w": w.tolist(), "z": [[v.real, v.imag] for v in z.tolist()]}


O = torch.optim
print(json.dumps({
    "sgd": course(lambda p: O.SGD(p, lr=0.01)),
    "momentum": course(lambda p: O.SGD(p, lr=0.01, momentum=0.9, weight_decay=0.1)),
    "nesterov": course(lambda p: O.SGD(p, lr=0.01, momentum=0.8, nesterov=True, weight_decay=0.02)),
    "adam": course(lambda p: O.Adam(p, lr=0.05)),
    "adam decay": course(lambda p: O.Adam(p, lr=0.05, betas=(0.8, 0.99), eps=1e-6, weight_decay=0.1)),
    "adamw": course(lambda p: O.AdamW(p, lr=0.05, weight_decay=0.1)),
    "clip norm": course(lambda p: O.SGD(p, lr=0.1), clip="norm"),
}, indent=1))
