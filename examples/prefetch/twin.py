import queue
import threading
import numpy as np

def batches():
    for i in range(8):
        block = np.random.default_rng(i).normal(size=(16, 4096)).astype(np.float32)
        yield block - block.mean()

def prefetch(items, ahead):
    ready = queue.Queue(ahead)
    def load():
        for item in items:
            ready.put(item)
        ready.put(None)
    threading.Thread(target=load, daemon=True).start()
    while (item := ready.get()) is not None:
        yield item

for batch in prefetch(batches(), 2):
    power = (abs(np.fft.rfft(batch)) ** 2).mean()
    print(f"mean power {power:.1f}")
