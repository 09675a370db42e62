import math
import time
import matplotlib.pyplot as plt
import torch
from torch import nn
from torch.nn import functional as F

KEYS, PAIRS, WIDTH, BATCH, STEPS, SOLVED = 6, 24, 64, 32, 1500, 0.999
LENGTH, ORDER, LAYERS = 2 * PAIRS, 16, 2

def sequences(seed, n):
    g = torch.Generator().manual_seed(seed)
    value = torch.stack([torch.randperm(KEYS, generator=g) for _ in range(n)])
    key = torch.randint(KEYS, (n, PAIRS), generator=g)
    answers = value.gather(1, key)
    words = torch.stack([key, KEYS + answers], -1).flatten(1)
    before = torch.tril(key[:, :, None] == key[:, None, :], -1)
    return words, answers, before.any(-1).float()

class Mixer(nn.Module):
    def __init__(self):
        super().__init__()
        self.inward = nn.Linear(WIDTH, 3 * WIDTH)
        self.short = nn.Conv1d(3 * WIDTH, 3 * WIDTH, 3, groups=3 * WIDTH, padding=2)
        self.frequency = nn.Parameter(torch.full((ORDER,), 10.0))
        self.layers = nn.ModuleList([nn.Linear(3 if i == 0 else ORDER, ORDER) for i in range(LAYERS + 1)])
        self.taps = nn.Linear(ORDER, WIDTH, bias=False)
        self.skip = nn.Parameter(torch.randn(WIDTH))
        self.outward = nn.Linear(WIDTH, WIDTH)

    def filter(self):
        t = torch.linspace(0, 1, LENGTH)[:, None]
        arg = 2 * math.pi * (LENGTH - 1) / LENGTH * t * 1e-4
        h = torch.cat([t, arg.cos(), -arg.sin()], 1)
        for layer in self.layers:
            h = torch.sin(self.frequency * layer(h))
        rates = torch.linspace(math.log(0.01) / 1.5, math.log(0.01) / 0.3, WIDTH).abs()
        return (self.taps(h) * torch.exp(-t * rates)).T

    def forward(self, u):
        x1, x2, v = self.short(self.inward(u).mT)[..., :LENGTH].chunk(3, 1)
        x = x1 * v
        y = torch.fft.irfft(torch.fft.rfft(x, 2 * LENGTH) * torch.fft.rfft(self.filter(), 2 * LENGTH))[..., :LENGTH]
        return self.outward((x2 * (y + self.skip[:, None] * x)).mT)

class Model(nn.Module):
    def __init__(self):
        super().__init__()
        self.words = nn.Parameter(torch.randn(2 * KEYS, WIDTH))
        self.answer = nn.Parameter(torch.randn(WIDTH, KEYS) / math.sqrt(WIDTH))
        self.blocks = nn.ModuleList([Mixer(), Mixer()])

    def forward(self, words):
        x = F.embedding(words, self.words)
        for block in self.blocks:
            x = x + block(F.layer_norm(x, (WIDTH,)))
        return F.layer_norm(x, (WIDTH,))[:, ::2] @ self.answer

def known(x, again):
    return (x * again).sum() / again.sum()

torch.manual_seed(1)
model, begin = Model(), time.time()
optimizer = torch.optim.AdamW(model.parameters())
losses, hits = [], []
for step in range(1, STEPS + 1):
    rate = 4e-3 * min(1, step / 50) * (1 + math.cos(math.pi * step / STEPS)) / 2
    for group in optimizer.param_groups:
        group["lr"] = rate
    words, answers, again = sequences(step, BATCH)
    right = F.log_softmax(model(words), -1).gather(2, answers[..., None])[..., 0]
    loss = -known(right, again)
    optimizer.zero_grad()
    loss.backward()
    nn.utils.clip_grad_norm_(model.parameters(), 1)
    optimizer.step()
    if step % 50 == 0:
        words, answers, again = sequences(2**63 - 1, 128)
        with torch.no_grad():
            share = known((model(words).argmax(2) == answers).float(), again).item()
        losses.append(loss.item())
        hits.append(share)
        print(f"step {step:4}  loss {loss:.4f}  right {100 * share:5.1f}%  {time.time() - begin:.1f} s")
        if share >= SOLVED:
            break
plt.plot(range(50, step + 1, 50), losses, label="loss")
plt.plot(range(50, step + 1, 50), hits, label="right answers")
plt.title("associative recall")
plt.xlabel("step")
plt.legend()
plt.savefig("recall.png")
