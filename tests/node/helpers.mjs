// Shared by the tests. The package is the one in this checkout.
import assert from 'node:assert/strict';

import ember from '../../node/index.js';

export const {ml, MLGraphBuilder} = ember;
export default ember;
export const f4 = {
  dataType: 'float32',
  shape: [4]
};

// c = a + b of four floats: the context, its graph and its tensors.
export async function addition(context) {
  context ??= await ml.createContext();
  const builder = new MLGraphBuilder(context);
  const c = builder.add(builder.input('a', f4), builder.input('b', f4));
  const graph = await builder.build({c});
  const tensor = () => context.createTensor({...f4, readable: true, writable: true});
  return {context, graph, a: await tensor(), b: await tensor(), c: await tensor()};
}

// A graph that computes for a tenth of a second or more.
export async function slow(context) {
  context ??= await ml.createContext();
  const n = 768;
  const type = {dataType: 'float32', shape: [n, n]};
  const builder = new MLGraphBuilder(context);
  const x = builder.input('x', type);
  let y = x;
  for (let i = 0; i < 24; ++i) y = builder.tanh(builder.matmul(y, x));
  const graph = await builder.build({y});
  const input = await context.createTensor({...type, writable: true});
  const output = await context.createTensor({...type, readable: true});
  return {
    context,
    graph,
    input,
    output,
    dispatch: () => context.dispatch(graph, {x: input}, {y: output})
  };
}

// Counts iterations of the event loop until the promise settles.
export async function turns(promise) {
  let n = 0;
  let settled = false;
  const done = () => {
    settled = true;
  };
  promise.then(done, done);
  for (; !settled; ++n) await new Promise(setImmediate);
  return n;
}

export const floats =
    async (context, tensor) => [...new Float32Array(await context.readTensor(tensor))];
export const isTypeError = pattern => e =>
    e instanceof TypeError && (!pattern || (assert.match(e.message, pattern), true));
export const isDOMException = name => e => e instanceof DOMException && e.name === name;
