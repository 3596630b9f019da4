// Checked by tests/node/types.test.mjs with tsc --strict: what a program writes has a type, what it must not write has none.
import 'ember-ml/polyfill';
import { ml, load, type MLOpSupportLimits } from 'ember-ml';

const context = await ml.createContext({ powerPreference: 'low-power', engine: 'native' });
const builder = new MLGraphBuilder(context);
const x = builder.input('x', { dataType: 'float32', shape: [1, 3, 8, 8] });
const filter = builder.constant({ dataType: 'float32', shape: [4, 3, 3, 3] }, new Float32Array(108));
const y = builder.conv2d(x, filter, { padding: [1, 1, 1, 1], inputLayout: 'nchw', label: 'first' });
const [a, b] = builder.split(builder.clamp(y, { minValue: 0, maxValue: 6 }), 2, { axis: 1 });
const graph = await builder.build({ z: builder.add(a!, b!) });
const tensor = await context.createTensor({ dataType: x.dataType, shape: x.shape, writable: true });
context.writeTensor(tensor, new Float32Array(192));
const out = await context.createTensor({ dataType: 'float32', shape: [1, 2, 8, 8], readable: true });
context.dispatch(graph, { x: tensor }, { z: out });
const buffer: ArrayBuffer = await context.readTensor(out);
const nothing: undefined = await context.readTensor(out, new Float32Array(128));
const limits: MLOpSupportLimits = context.opSupportLimits();
const ranks: number = limits.conv2d.input.rankRange.max + builder.constant('int64', 5n).shape.length;
const same: typeof ml = navigator.ml;
const tensors = await load('weights.safetensors');
builder.constant({ dataType: 'float32', shape: tensors['w']!.shape }, tensors['w']!.data);

// @ts-expect-error an operand is missing
builder.add(x);
// @ts-expect-error no such layout
builder.conv2d(x, filter, { inputLayout: 'chwn' });
// @ts-expect-error no such option
builder.softmax(x, 1, { axes: [1] });
// @ts-expect-error no such type
builder.input('w', { dataType: 'float64', shape: [] });
// @ts-expect-error made by contexts alone
new MLTensor();
// @ts-expect-error read-only
tensor.shape[0] = 3;
export { buffer, nothing, ranks, same };
