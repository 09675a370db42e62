import matplotlib.pyplot as plt, numpy as np, torch
from scipy.signal import freqz

rate, bands, points = 48000, 10, 200
hz = 20 * 1000 ** (np.arange(points) / (points - 1))

def peaking(f, q, gain):
    w, a = 2 * np.pi * f / rate, 10 ** (gain / 40)
    alpha = np.sin(w) / (2 * q)
    b = [1 + alpha * a, -2 * np.cos(w), 1 - alpha * a]
    return b, [1 + alpha / a, -2 * np.cos(w), 1 - alpha / a]

rows = [20 * np.log10(abs(freqz(*peaking(31.25 * 2**b, 1.4, 1), hz, fs=rate)[1])) for b in range(bands)]
basis = torch.tensor(np.array(rows))
octaves = torch.tensor(np.log2(hz / 1000))
want = (-octaves).clamp(-3, 3) + 6 * torch.exp(-2 * (octaves - 1) ** 2)
gains = torch.zeros(bands, dtype=torch.float64, requires_grad=True)
optimizer = torch.optim.Adam([gains], lr=0.2)
for _ in range(300):
    optimizer.zero_grad()
    loss = ((gains @ basis - want) ** 2).mean()
    loss.backward()
    optimizer.step()
print("gains in dB:", gains.detach().numpy())
plt.semilogx(hz, want, label="wanted")
plt.semilogx(hz, (gains @ basis).detach(), label="fitted")
plt.legend()
plt.savefig("eqfit.png")
