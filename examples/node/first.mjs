// The first example of the WebNN specification: two inputs, each with a constant added, multiplied.
//   node first.mjs
import 'ember-ml/polyfill'; // navigator.ml and the interfaces, as in a browser

const context = await navigator.ml.createContext();
const builder = new MLGraphBuilder(context);
const type = {
  dataType: 'float32',
  shape: [1, 2, 2, 2]
};
const constant1 = builder.constant(type, new Float32Array(8).fill(0.5));
const constant2 = builder.constant(type, new Float32Array(8).fill(0.5));
const input1 = builder.input('input1', type);
const input2 = builder.input('input2', type);
const output = builder.mul(builder.add(constant1, input1), builder.add(constant2, input2));
const graph = await builder.build({output});  // compiled, on another thread

const x = await context.createTensor({...type, writable: true});
const y = await context.createTensor({...type, writable: true});
const z = await context.createTensor({...type, readable: true});
context.writeTensor(x, new Float32Array(8).fill(1));
context.writeTensor(y, new Float32Array(8).fill(1));
context.dispatch(graph, {input1: x, input2: y}, {output: z});  // does not wait
console.log('Output value:', new Float32Array(await context.readTensor(z)));
