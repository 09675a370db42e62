"""What PyTorch takes for the benchmarks of layers_test.go: the least processor time of several runs, one thread.

    taskset -c 1 python3 layers_peers.py
"""

import time
from functools import partial

import torch
import torch.nn as nn
import torch.nn.functional as F

import timing

torch.set_num_threads(1)
best = partial(timing.best, repeats=12, clock=time.process_time)


def leaf(*shape):
    return (torch.randn(*shape) * 0.3).requires_grad_()


def forward(name, f):
    def run():
        with torch.no_grad():
            f()

    best("Layers/" + name, run)


def gradient(name, f, *by):
    best("Layers/" + name, lambda: torch.autograd.grad(f().sum(), by))


x, w, big, steps = leaf(16, 16, 32, 64), leaf(32, 16, 3, 3), leaf(16, 16, 64, 128), leaf(16, 100, 64)
q, k, v = leaf(4, 4, 256, 32), leaf(4, 4, 256, 32), leaf(4, 4, 256, 32)
gru = nn.GRU(64, 64, batch_first=True)
forward("Conv", lambda: F.conv2d(x, w, padding=1))
gradient("ConvGradient", lambda: F.conv2d(x, w, padding=1), x, w)
forward("Pool", lambda: F.max_pool2d(F.relu(big), 2))
gradient("PoolGradient", lambda: F.max_pool2d(F.relu(big), 2), big)
gradient("BatchNormGradient", lambda: F.batch_norm(big, None, None, training=True) ** 3, big)
gradient("GRUGradient", lambda: gru(steps)[0], gru.weight_ih_l0, gru.weight_hh_l0)
gradient("AttentionGradient", lambda: F.scaled_dot_product_attention(q, k, v, is_causal=True), q, k, v)

net = nn.Sequential(nn.Conv2d(1, 16, 3, padding=1), nn.BatchNorm2d(16), nn.ReLU(), nn.MaxPool2d(2), nn.Conv2d(16, 32, 3, padding=1),
                    nn.BatchNorm2d(32), nn.ReLU(), nn.MaxPool2d(2), nn.Conv2d(32, 64, 3, padding=1), nn.ReLU(), nn.AdaptiveAvgPool2d(1),
                    nn.Flatten(), nn.Linear(64, 10))
adam = torch.optim.Adam(net.parameters(), 1e-3)
mels, labels = torch.randn(16, 1, 64, 128), torch.randint(0, 10, (16,))


def step():
    adam.zero_grad()
    F.cross_entropy(net(mels), labels).backward()
    adam.step()


best("Network", step)
