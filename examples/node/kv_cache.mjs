// A decoder whose cache stays on the device: WebNN tensors store the keys and values of all steps
// so far, in two sets that alternate. One graph serves every step, because the cache has a fixed
// capacity and the length is an input. The weights, and therefore the tokens, are those of
// webnn_kv_cache.cpp.
//   node kv_cache.mjs [tokens] [engine]
import {ml, MLGraphBuilder} from 'ember-ml';

const vocabulary = 256;
const width = 256;
const heads = 4;
const layers = 2;
const capacity = 4096;
const depth = width / heads;
const caches = [...Array(layers).keys()].flatMap(l => [`keys${l}`, `values${l}`]);

// One step: takes a token and its position; returns the next token and the updated caches.
async function decoder(context) {
  const b = new MLGraphBuilder(context);
  let state =
      1;  // a generator that every language can reproduce, so that all print the same tokens
  const weights = (rows, columns, scale) => {
    const values = new Float32Array(rows * columns);
    for (let i = 0; i < values.length; ++i) {
      state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
      values[i] = ((state >>> 8) / 16777216 - 0.5) * scale;
    }
    return b.constant({dataType: 'float32', shape: [rows, columns]}, values);
  };
  const counting = shape =>
      b.constant({dataType: 'int32', shape}, Int32Array.from({length: shape[0]}, (_, i) => i));
  const number = v => b.constant('float32', v);
  const scale = 2 / Math.sqrt(width);
  const token = b.input('token', {dataType: 'int32', shape: [1]});
  const place = b.input('place', {dataType: 'int32', shape: [1]});
  const written = b.lesserOrEqual(
      counting([capacity]), place);  // which places of the cache hold something, this step included
  const rows = b.concat(
      [counting([heads, 1]), b.expand(b.reshape(place, [1, 1]), [heads, 1])], 1);  // [head, place]

  const outputs = {};
  let x = b.add(
      b.gather(weights(vocabulary, width, 2), token), b.gather(weights(capacity, width, 1), place));
  for (let l = 0; l < layers; ++l) {
    const n = b.layerNormalization(x);
    const q = b.reshape(b.matmul(n, weights(width, width, scale)), [heads, 1, depth]);
    const [keys, values] = ['keys', 'values'].map(kind => {
      const before = b.input(kind + l, {dataType: 'float32', shape: [heads, capacity, depth]});
      const row = b.reshape(b.matmul(n, weights(width, width, scale)), [heads, depth]);
      return outputs[`${kind}${l}_next`] = b.scatterND(before, rows, row);
    });
    const scores = b.mul(
        b.matmul(q, b.transpose(keys, {permutation: [0, 2, 1]})), number(1 / Math.sqrt(depth)));
    const attended = b.matmul(b.softmax(b.where(written, scores, number(-1e9)), 2), values);
    x = b.add(x, b.matmul(b.reshape(attended, [1, width]), weights(width, width, scale)));
    const hidden = b.gelu(b.matmul(b.layerNormalization(x), weights(width, 2 * width, scale)));
    x = b.add(x, b.matmul(hidden, weights(2 * width, width, scale)));
  }
  const logits = b.matmul(b.layerNormalization(x), weights(width, vocabulary, scale));
  outputs.next = b.reshape(b.argMax(logits, 1), [1]);
  return b.build(outputs);
}

class Generator {
  static async create(context, graph, onDevice) {
    const g = new Generator();
    const number = () =>
        context.createTensor({dataType: 'int32', shape: [1], readable: true, writable: true});
    const cache = () => context.createTensor({
      dataType: 'float32',
      shape: [heads, capacity, depth],
      readable: !onDevice,
      writable: !onDevice
    });
    const set = () => Promise.all(caches.map(cache));
    return Object.assign(g, {
      context,
      graph,
      place: await number(),
      token: [await number(), await number()],
      cache: [await set(), await set()]
    });
  }
  step(at) {
    const from = at % 2;
    const to = 1 - from;
    const inputs = {token: this.token[from], place: this.place};
    const outputs = {next: this.token[to]};
    caches.forEach((name, i) => {
      inputs[name] = this.cache[from][i];
      outputs[`${name}_next`] = this.cache[to][i];
    });
    this.context.writeTensor(this.place, Int32Array.of(at));
    this.context.dispatch(this.graph, inputs, outputs);
  }
  async next(at) {
    return new Int32Array(await this.context.readTensor(this.token[1 - at % 2]))[0];
  }

  // The caches stay on the device.
  async run(first, count) {
    const tokens = [];
    this.context.writeTensor(this.token[0], Int32Array.of(first));
    for (let at = 0; at < count; ++at) {
      this.step(at);
      tokens.push(await this.next(at));
    }
    return tokens;
  }
  // The caches are downloaded after each step and passed to the next one, as in programs without
  // device tensors.
  async runWithCopies(first, count) {
    const tokens = [];
    let host = await Promise.all(this.cache[0].map(t => this.context.readTensor(t)));
    for (let at = 0; at < count; ++at) {
      const from = at % 2;
      this.context.writeTensor(this.token[from], Int32Array.of(tokens.at(-1) ?? first));
      host.forEach((values, i) => this.context.writeTensor(this.cache[from][i], values));
      this.step(at);
      tokens.push(await this.next(at));
      host = await Promise.all(this.cache[1 - from].map(t => this.context.readTensor(t)));
    }
    return tokens;
  }
}

const count = Number(process.argv[2] ?? 64);
const context = await ml.createContext({engine: process.argv[3] ?? 'native'});
const graph = await decoder(context);
async function timed(onDevice) {
  const g = await Generator.create(context, graph, onDevice);
  const run = n => onDevice ? g.run(7, n) : g.runWithCopies(7, n);
  await run(1);  // warm-up: allocates memory and starts threads
  const start = performance.now();
  const tokens = await run(count);
  return [(performance.now() - start) / count, tokens];
}
const [withCopies, host] = await timed(false);
const [resident, device] = await timed(true);
console.log('tokens:', ...device.slice(0, 12), '...');
console.log(`cache: ${(layers * 2 * width * capacity * 4 / 1e6).toFixed(1)} MB in ${
    layers * 2} tensors, capacity ${capacity} steps`);
console.log(`${resident.toFixed(2)} ms a token with the cache on the device, ${
    withCopies.toFixed(2)} ms with copies on the host: ${(withCopies / resident).toFixed(2)}x`);
if (device.join() !== host.join()) throw new Error('the tokens differ');
