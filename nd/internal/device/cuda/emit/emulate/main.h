// Reads launches from standard input, runs them, writes buffers back.
template <class... A, size_t... I> static void emu_invoke(void (*f)(A...), void** p, std::index_sequence<I...>) { f(*(A*)p[I]...); }
template <class... A> static void emu_call(void (*f)(A...), void** p) { emu_invoke(f, p, std::index_sequence_for<A...>()); }
static uint64_t emu_word() { uint64_t v; if (fread(&v, 8, 1, stdin) != 1) exit(4); return v; }
static void* emu_params[1024];
static uint64_t emu_values[1024][2];
static void (*emu_entry)();
int main() {
  int buffers = (int)emu_word();
  char** memory = new char*[buffers];
  size_t* sizes = new size_t[buffers];
  for (int i = 0; i < buffers; i++) {
    sizes[i] = emu_word();
    memory[i] = (char*)aligned_alloc(256, (sizes[i] + 511) & ~(size_t)255);
    if (sizes[i] && fread(memory[i], sizes[i], 1, stdin) != 1) return 4;
  }
#ifndef EMU_ALONE
  emu::fibers = new emu::fiber[1024]();
  for (int i = 0; i < 1024; i++) emu::fibers[i].stack = (char*)malloc(emu::stack_bytes);
#endif
  for (int steps = (int)emu_word(); steps > 0; steps--) {
    char name[256] = {};
    size_t n = emu_word();
    if (n >= sizeof(name) || fread(name, n, 1, stdin) != 1) return 4;
    gridDim.x = emu_word(); gridDim.y = emu_word(); gridDim.z = emu_word();
    blockDim.x = emu_word(); blockDim.y = emu_word(); blockDim.z = emu_word();
    int params = (int)emu_word();
    for (int i = 0; i < params; i++) {
      uint64_t kind = emu_word();
      emu_values[i][0] = emu_word();
      emu_values[i][1] = emu_word();
      if (kind == 1) emu_values[i][0] = (uint64_t)memory[emu_values[i][0]];
      emu_params[i] = emu_values[i];
    }
    emu_entry = 0;
    EMU_ENTRIES
    if (!emu_entry) { fprintf(stderr, "no entry %s\n", name); return 5; }
    emu::body = emu_entry;
    emu::count = blockDim.x * blockDim.y * blockDim.z;
    for (blockIdx.z = 0; blockIdx.z < gridDim.z; blockIdx.z++)
      for (blockIdx.y = 0; blockIdx.y < gridDim.y; blockIdx.y++)
        for (blockIdx.x = 0; blockIdx.x < gridDim.x; blockIdx.x++) emu::run_block();
  }
  for (int i = 0; i < buffers; i++) if (sizes[i] && fwrite(memory[i], sizes[i], 1, stdout) != 1) return 6;
  return 0;
}
