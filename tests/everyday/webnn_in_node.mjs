// Small programs of navigator.ml's users, on the engine that EMBER_ML_BACKEND names.
import '../../node/polyfill.js';

import assert from 'node:assert/strict';

const close = (got, expected) => {
  assert.equal(got.length, expected.length);
  expected.forEach(
      (v, i) => assert.ok(
          Math.abs(got[i] - v) <= 1e-4 * (1 + Math.abs(v)), `${got} instead of ${expected}`));
};

async function run(context, graph, inputs, output, shape) {
  const tensors = {};
  for (const [name, {shape, data}] of Object.entries(inputs)) {
    tensors[name] = await context.createTensor({dataType: 'float32', shape, writable: true});
    context.writeTensor(tensors[name], data);
  }
  const result = await context.createTensor({dataType: 'float32', shape, readable: true});
  context.dispatch(graph, tensors, {[output]: result});
  return new Float32Array(await context.readTensor(result));
}

async function programMatmul(context) {
  const builder = new MLGraphBuilder(context);
  const a = builder.input('a', {dataType: 'float32', shape: [3, 4]});
  const b = builder.input('b', {dataType: 'float32', shape: [4, 3]});
  const graph = await builder.build({c: builder.matmul(a, b)});
  const data = Float32Array.from({length: 12}, (_, i) => i);
  const c =
      await run(context, graph, {a: {shape: [3, 4], data}, b: {shape: [4, 3], data}}, 'c', [3, 3]);
  close(c, [42, 48, 54, 114, 136, 158, 186, 224, 262]);
}

async function programClassifier(context) {
  const builder = new MLGraphBuilder(context);
  const x = builder.input('x', {dataType: 'float32', shape: [1, 3]});
  const w =
      builder.constant({dataType: 'float32', shape: [3, 2]}, new Float32Array([1, 0, 0, 1, 1, 1]));
  const b = builder.constant({dataType: 'float32', shape: [2]}, new Float32Array([0, 1]));
  const graph =
      await builder.build({p: builder.softmax(builder.relu(builder.gemm(x, w, {c: b})), 1)});
  const p = await run(
      context, graph, {x: {shape: [1, 3], data: new Float32Array([1, 2, -5])}}, 'p', [1, 2]);
  close(p, [0.5, 0.5]);
}

async function programImage(context) {
  const builder = new MLGraphBuilder(context);
  const image = builder.input('image', {dataType: 'float32', shape: [1, 1, 4, 4]});
  const filter =
      builder.constant({dataType: 'float32', shape: [1, 1, 3, 3]}, new Float32Array(9).fill(1 / 9));
  const blurred = builder.conv2d(image, filter);
  const graph = await builder.build({mean: builder.reshape(builder.averagePool2d(blurred), [1])});
  const data = Float32Array.from({length: 16}, (_, i) => i);
  close(await run(context, graph, {image: {shape: [1, 1, 4, 4], data}}, 'mean', [1]), [7.5]);
}

async function programErrors(context) {
  const builder = new MLGraphBuilder(context);
  const a = builder.input('a', {dataType: 'float32', shape: [2, 3]});
  assert.throws(() => builder.matmul(a, a, {label: 'product'}), TypeError);
}

for (const program of [programMatmul, programClassifier, programImage, programErrors]) {
  await program(await navigator.ml.createContext());
}
