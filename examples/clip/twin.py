import torch

class Clip(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        ctx.save_for_backward(x)
        return x / (1 + x.abs())

    @staticmethod
    def backward(ctx, g):
        (x,) = ctx.saved_tensors
        return g / (1 + x.abs()) ** 2

x = torch.linspace(-1, 1, 1000)
heard = Clip.apply(4 * x)
gain = torch.tensor(1.0, requires_grad=True)
for _ in range(200):
    value = ((Clip.apply(gain * x) - heard) ** 2).mean()
    (grad,) = torch.autograd.grad(value, gain)
    gain = (gain - 30 * grad).detach().requires_grad_()
print(f"the gain was {gain.item():.3f}")
