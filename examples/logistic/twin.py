import mlx.core as mx

features, examples = 100, 1000
truth = mx.random.normal((features, 1))
x = mx.random.normal((examples, features))
y = x @ truth > 0

def loss(w):
    logits = x @ w
    return mx.mean(mx.logaddexp(0, logits) - y * logits)

step = mx.compile(mx.value_and_grad(loss))
w = mx.zeros((features, 1))
for i in range(300):
    value, grad = step(w)
    w = w - grad
    mx.eval(w)
right = mx.mean((x @ w > 0) == y)
print("loss %.4f, %.1f%% right" % (value.item(), 100 * right.item()))
