// The cost of calls in Node: a dispatch of a small graph, and writes and reads of a megabyte
// compared with a copy of the same size.
//   node bench/node.mjs
import {ml, MLGraphBuilder} from 'ember-ml';

const context = await ml.createContext();
const builder = new MLGraphBuilder(context);
const few = {
  dataType: 'float32',
  shape: [4]
};
const many = {
  dataType: 'float32',
  shape: [1 << 18]
};
const c = builder.add(builder.input('a', few), builder.input('b', few));
const graph = await builder.build({c});
const tensor = type => context.createTensor({...type, readable: true, writable: true});
const inputs = {
  a: await tensor(few),
  b: await tensor(few)
};
const outputs = {
  c: await tensor(few)
};
const large = await tensor(many);
const from = new Float32Array(1 << 18).fill(1);
const to = new Float32Array(1 << 18);

async function measure(what, count, call) {
  let best = Infinity;
  for (let round = 0; round < 7; ++round) {
    const start = process.hrtime.bigint();
    await call(count);
    best = Math.min(best, Number(process.hrtime.bigint() - start) / count / 1000);
  }
  console.log(`${what.padEnd(44)} ${best.toFixed(2).padStart(8)} us`);
}
await measure('dispatch of a 4-float add, then one read', 1e5, async n => {
  for (let i = 0; i < n; ++i) context.dispatch(graph, inputs, outputs);
  await context.readTensor(outputs.c);
});
await measure('readTensor of 16 bytes', 1e4, async n => {
  for (let i = 0; i < n; ++i) await context.readTensor(outputs.c);
});
await measure('copy of 1 MB: TypedArray.set', 500, n => {
  for (let i = 0; i < n; ++i) to.set(from);
});
await measure('writeTensor of 1 MB', 500, n => {
  for (let i = 0; i < n; ++i) context.writeTensor(large, from);
});
await measure('readTensor of 1 MB into a buffer', 500, async n => {
  for (let i = 0; i < n; ++i) await context.readTensor(large, to);
});
await measure('new copy of 1 MB: ArrayBuffer.slice', 500, n => {
  for (let i = 0; i < n; ++i) from.buffer.slice(0);
});
await measure('readTensor of 1 MB into a new buffer', 500, async n => {
  for (let i = 0; i < n; ++i) await context.readTensor(large);
});
