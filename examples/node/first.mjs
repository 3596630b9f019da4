// The specification's own first example: C = 0.2 * A + B.
//   node first.mjs
import { ml, MLGraphBuilder } from 'ember-ml';

const descriptor = { dataType: 'float32', shape: [2, 2] };
const context = await ml.createContext();
const builder = new MLGraphBuilder(context);

// 1. Create a computational graph 'C = 0.2 * A + B'.
const constant = builder.constant(descriptor, new Float32Array(4).fill(0.2));
const A = builder.input('A', descriptor);
const B = builder.input('B', descriptor);
const C = builder.add(builder.mul(A, constant), B);

// 2. Compile the graph.
const graph = await builder.build({ C });

// 3. Create reusable input and output tensors.
const [inputTensorA, inputTensorB, outputTensorC] = await Promise.all([
  context.createTensor({ dataType: A.dataType, shape: A.shape, writable: true }),
  context.createTensor({ dataType: B.dataType, shape: B.shape, writable: true }),
  context.createTensor({ dataType: C.dataType, shape: C.shape, readable: true }),
]);

// 4. Initialize the inputs.
context.writeTensor(inputTensorA, new Float32Array(4).fill(1.0));
context.writeTensor(inputTensorB, new Float32Array(4).fill(0.8));

// 5. Execute the graph.
context.dispatch(graph, { A: inputTensorA, B: inputTensorB }, { C: outputTensorC });

// 6. Read back the computed result.
const result = await context.readTensor(outputTensorC);
console.log('Output value:', new Float32Array(result));
