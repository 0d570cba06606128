// A reactor of Terraway in node or a browser: the C ABI of terraway.h on 32-bit pointers.

// Offsets of the fields of terraway.h's structs; a pointer has 4 bytes, and 8-byte fields stand on multiples of 8.
const OPTIONS = {
  bytes: 88,
  threads: 4,
  recipe: { length: 24, data: 32 },
  overrides: { length: 40, data: 48 },
  heights: { length: 56, data: 64 },
  lines: { length: 72, data: 80 },
};
const STAGE = { bytes: 32, hash: 8, nameLength: 16, name: 24 };
const ABI_VERSION = 1;

// What wasi-libc imports for printf and abort. Nothing of Terraway prints, so that none is ever answered.
function wasiStubs(module) {
  const imports = {};
  for (const { module: from, name } of WebAssembly.Module.imports(module)) {
    if (from !== 'wasi_snapshot_preview1') throw new Error(`the reactor wants ${from}.${name}, which nobody has`);
    imports[name] = () => {
      throw new Error(`the reactor called ${name}: it stopped with an assertion, or tried to print`);
    };
  }
  return { wasi_snapshot_preview1: imports };
}

export class Reactor {
  constructor(instance) {
    this.abi = instance.exports;
    this.abi._initialize?.();
    if (this.abi.tw_abi_version() !== ABI_VERSION) throw new Error('terraway.wasm is of another version than reactor.mjs');
  }

  // Memory may have grown since the last call, which detaches older views.
  view() {
    return new DataView(this.abi.memory.buffer);
  }

  allocate(bytes) {
    const at = this.abi.malloc(bytes);
    if (at === 0) throw new Error(`no memory for ${bytes} bytes`);
    new Uint8Array(this.abi.memory.buffer, at, bytes).fill(0);
    return at;
  }

  text(at, length) {
    return new TextDecoder().decode(new Uint8Array(this.abi.memory.buffer, at, length));
  }

  // Calls `use` with the address of zeroed bytes, and frees them.
  scratch(bytes, use) {
    const at = this.allocate(bytes);
    try {
      return use(at);
    } finally {
      this.abi.free(at);
    }
  }

  number(call) {
    return this.scratch(8, (at) => {
      call(at);
      return this.view().getUint32(at, true);
    });
  }

  // Throws the bake's own line when `code` is an error.
  require(code, bake) {
    if (code === 0) return;
    if (bake === 0) throw new Error(`the C ABI was misused (${code})`);
    const capacity = 1024;
    const message = this.scratch(8 + capacity, (at) => {
      this.abi.tw_bake_error(bake, at + 8, BigInt(capacity), at);
      return this.text(at + 8, Math.min(capacity, Number(this.view().getBigUint64(at, true))));
    });
    throw new Error(message);
  }

  // { recipe, overrides, heights, lines }: text or bytes; all but the recipe may be left out.
  // Returns the handle of a bake; free it with abi.tw_bake_free.
  create(input) {
    const held = [];
    try {
      const options = this.allocate(OPTIONS.bytes);
      held.push(options);
      for (const key of ['recipe', 'overrides', 'heights', 'lines']) {
        const given = input[key] ?? '';
        const bytes = typeof given === 'string' ? new TextEncoder().encode(given) : given;
        if (bytes.length === 0) continue;
        const at = this.allocate(bytes.length);
        held.push(at);
        new Uint8Array(this.abi.memory.buffer).set(bytes, at);
        this.view().setBigUint64(options + OPTIONS[key].length, BigInt(bytes.length), true);
        this.view().setUint32(options + OPTIONS[key].data, at, true);
      }
      this.view().setUint32(options, OPTIONS.bytes, true);
      this.view().setUint32(options + OPTIONS.threads, 1, true);
      let code;
      const bake = this.number((at) => (code = this.abi.tw_bake_create(options, at)));
      try {
        this.require(code, bake);
      } catch (error) {
        this.abi.tw_bake_free(bake);
        throw error;
      }
      return bake;
    } finally {
      held.forEach((at) => this.abi.free(at));
    }
  }

  stages(bake) {
    const count = this.number((at) => this.require(this.abi.tw_bake_stage_count(bake, at), bake));
    return Array.from({ length: count }, (_, index) =>
      this.scratch(STAGE.bytes, (at) => {
        this.view().setUint32(at, STAGE.bytes, true);
        this.require(this.abi.tw_bake_stage(bake, index, at), bake);
        const view = this.view();
        return {
          name: this.text(view.getUint32(at + STAGE.name, true), Number(view.getBigUint64(at + STAGE.nameLength, true))),
          hash: view.getBigUint64(at + STAGE.hash, true),
        };
      }),
    );
  }

  // A whole bake: { stages: [{ name, hash }], hash }, hashes as BigInt.
  bake(input) {
    const bake = this.create(input);
    try {
      let finished = 0;
      while (!finished) {
        finished = this.number((at) => this.require(this.abi.tw_bake_advance(bake, 1000, at), bake));
      }
      const stages = this.stages(bake);
      const hash = this.scratch(8, (at) => {
        this.require(this.abi.tw_bake_hash(bake, at), bake);
        return this.view().getBigUint64(at, true);
      });
      return { stages, hash };
    } finally {
      this.abi.tw_bake_free(bake);
    }
  }
}

export async function instantiate(bytes) {
  const module = await WebAssembly.compile(bytes);
  return new Reactor(await WebAssembly.instantiate(module, wasiStubs(module)));
}
