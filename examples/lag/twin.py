import torch

length, lag, batch = 512, 200, 8
taps = (0.01 * torch.randn(length)).requires_grad_()
optimizer = torch.optim.Adam([taps], lr=0.02)
for step in range(1, 401):
    x = torch.randn(batch, length)
    late = torch.nn.functional.pad(x[:, : length - lag], (lag, 0))
    y = torch.fft.irfft(torch.fft.rfft(x, 2 * length) * torch.fft.rfft(taps, 2 * length))[:, :length]
    loss = ((y - late) ** 2).mean()
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    if step % 100 == 0:
        print("step %d: loss %.2g" % (step, loss))
print("the greatest tap is at", taps.abs().argmax().item())
