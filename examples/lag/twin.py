import math
import torch
from torch import nn

LENGTH, LAG, BATCH, ORDER = 512, 200, 8, 64

class Filter(nn.Module):
    def __init__(self):
        super().__init__()
        self.frequency = nn.Parameter(torch.ones(ORDER))
        self.layers = nn.ModuleList([nn.Linear(LENGTH + 1, ORDER), nn.Linear(ORDER, ORDER)])
        self.out = nn.Linear(ORDER, 1, bias=False)
        self.skip = nn.Parameter(torch.randn(1))

    def forward(self, x):
        t = torch.linspace(0, 1, LENGTH)[:, None]
        arg = 2 * math.pi * (LENGTH - 1) / LENGTH * t * torch.linspace(1e-4, LENGTH // 2 - 1, LENGTH // 2)
        h = torch.cat([t, arg.cos(), -arg.sin()], 1)
        for layer in self.layers:
            h = torch.sin(self.frequency * layer(h))
        taps = (self.out(h) * torch.exp(t * math.log(0.01) / 1.5))[:, 0]
        return torch.fft.irfft(torch.fft.rfft(x, 2 * LENGTH) * torch.fft.rfft(taps, 2 * LENGTH))[..., :LENGTH] + self.skip * x

class Mixer(nn.Module):
    def __init__(self):
        super().__init__()
        self.inward = nn.Linear(1, 3)
        self.short = nn.Conv1d(3, 3, 3, groups=3, padding=2)
        self.filter, self.residual = Filter(), Filter()
        self.outward = nn.Linear(1, 1)

    def forward(self, u):
        x1, x2, v = self.short(self.inward(u).mT)[..., :LENGTH].chunk(3, 1)
        return self.outward((x2 * self.filter(x1 * v) + self.residual(u.mT)).mT)

torch.manual_seed(1)
block = Mixer()
optimizer = torch.optim.Adam(block.parameters(), lr=0.005)
schedule = torch.optim.lr_scheduler.CosineAnnealingLR(optimizer, 300)
for step in range(1, 301):
    x = torch.randn(BATCH, LENGTH, 1)
    late = nn.functional.pad(x[:, : LENGTH - LAG], (0, 0, LAG, 0))
    loss = ((block(x) - late) ** 2).mean()
    optimizer.zero_grad()
    loss.backward()
    nn.utils.clip_grad_norm_(block.parameters(), 1)
    optimizer.step()
    schedule.step()
    if step % 100 == 0:
        print("step %d: loss %.2g" % (step, loss.item()))
impulse = torch.zeros(1, LENGTH, 1)
impulse[0, 0] = 1
print("the 1 comes out at", block(impulse).abs().argmax().item())
