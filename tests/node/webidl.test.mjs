// Values are converted to the interface's types by Web IDL's rules.
import assert from 'node:assert/strict';
import {test} from 'node:test';

import ember, {addition, f4, floats, isDOMException, isTypeError, ml, MLGraphBuilder} from './helpers.mjs';

const context = await ml.createContext();
const builder = () => new MLGraphBuilder(context);
const shaped = shape => builder().input('x', {dataType: 'float32', shape}).shape;
const throws = (f, pattern) => assert.throws(f, isTypeError(pattern));
const rejects = (p, pattern) => assert.rejects(p, isTypeError(pattern));

test('shapes: fractions are cut off, what is no unsigned long is refused', () => {
  assert.deepEqual(shaped([1.5, '3', true, [2]]), [1, 3, 1, 2]);
  assert.deepEqual(shaped(new Set([5, 6])), [5, 6]);
  assert.deepEqual(shaped(new Uint8Array([7])), [7]);
  for (const d of [0, -0.9, -1, 2 ** 32, NaN, Infinity, undefined, 'x', 1n, Symbol('s'), {}])
    throws(() => shaped([d]));
  for (const s of [undefined, null, 3, 'abc', {}, {length: 1, 0: 2}]) throws(() => shaped(s));
  throws(() => shaped([2 ** 31]), /bytes|large|max/);
});

test('a list is read by its iterator, once, and not closed by a bad element', () => {
  let made = 0;
  let closed = 0;
  const list = values => ({
    [Symbol.iterator]() {
      let i = 0;
      made++;
      return {
        next: () => ({done: i >= values.length, value: values[i++]}),
        return: () => {
          closed++;
          return {};
        }
      };
    },
  });
  assert.deepEqual(shaped(list([2, 3])), [2, 3]);
  throws(() => shaped(list([2, -3])), /shape\[1\]/);
  assert.deepEqual([made, closed], [2, 0]);
  throws(() => shaped({[Symbol.iterator]: 5}));
  throws(() => shaped({[Symbol.iterator]: () => 5}));
  throws(() => shaped({[Symbol.iterator]: () => ({next: () => 5})}));
  assert.throws(() => shaped({[Symbol.iterator]() { throw new RangeError('mine'); }}), RangeError);
});

test('dictionaries: members in the order of their names, inherited ones first', async () => {
  const seen = [];
  const spy = target => new Proxy(target, {
    get(t, key) {
      seen.push(key);
      return t[key];
    }
  });
  await context.createTensor(spy(f4));
  assert.deepEqual(seen, ['dataType', 'shape', 'readable', 'writable']);
  const b = builder();
  const x = b.input('x', {dataType: 'float32', shape: [1, 1, 4, 4]});
  seen.length = 0;
  b.averagePool2d(x, spy({}));
  assert.deepEqual(seen, [
    'label', 'dilations', 'layout', 'outputShapeRounding', 'outputSizes', 'padding', 'strides',
    'windowDimensions'
  ]);
  for (const o of [undefined, null, {}, () => 0]) b.relu(x, o);
  for (const o of [1, 'x', true, 1n, Symbol('s')]) throws(() => b.relu(x, o));
  throws(() => b.input('y', {shape: [1]}), /dataType/);
  throws(() => b.input('y', {dataType: 'float32'}), /shape/);
  throws(() => b.input('y', {dataType: 'float64', shape: [1]}), /float64/);
});

test('numbers of operators: enforced, wrapping, finite, BigInt', () => {
  const b = builder();
  const x = b.input('x', {dataType: 'float32', shape: [2, 3]});
  const big = b.input('big', {dataType: 'int64', shape: [2]});
  for (const axis of [-1, 2 ** 32, NaN, Infinity, 1n]) throws(() => b.softmax(x, axis));
  b.softmax(x, -0.9);  // which is 0
  assert.deepEqual(
      b.cumulativeSum(x, 2 ** 32 + 1).shape,
      [2, 3]);  // an unsigned long without [EnforceRange] wraps
  assert.deepEqual(b.tile(x, [2 ** 32 + 2, 1]).shape, [4, 3]);
  throws(() => b.cumulativeSum(x, 1n));
  for (const alpha of [NaN, Infinity, 'x', 1n, {}]) throws(() => b.elu(x, {alpha}));
  for (const scale of [NaN, 1e300])
    throws(
        () => b.resample2d(
            b.input('i', {dataType: 'float32', shape: [1, 1, 2, 2]}), {scales: [scale, 1]}));
  b.clamp(big, {minValue: -(2n ** 80n), maxValue: 2n ** 80n});
  b.clamp(big, {minValue: {valueOf: () => 1n}});
  b.clamp(x, {minValue: -Infinity, maxValue: '6'});
  throws(() => b.clamp(x, {minValue: 1n, label: 'here'}), /\[here\].*BigInt/);
  throws(() => b.constant('float32', 1n), /BigInt/);
  throws(() => b.triangular(x, {diagonal: 2 ** 31}));
  throws(() => b.split(x, {}));
  assert.equal(b.split(x, 3, {axis: 1}).length, 3);
  assert.equal(b.split(x, new Set([1, 2]), {axis: 1}).length, 2);
});

test('strings of an enumeration, and labels', () => {
  const b = builder();
  const x = b.input('x', {dataType: 'float32', shape: [1, 1, 4, 4]});
  throws(() => b.maxPool2d(x, {layout: 'NCHW'}), /nchw, nhwc/);
  throws(() => b.maxPool2d(x, {layout: Symbol('nchw')}));
  b.maxPool2d(x, {layout: {toString: () => 'nhwc'}});
  throws(
      () => b.add(x, b.input('y', {dataType: 'float32', shape: [3]}), {label: 'näme \ud800'}),
      /\[näme \ufffd\]/);
  throws(() => b.relu(x, {label: Symbol('s')}));
});

test('this, arguments and constructors', async () => {
  const b = builder();
  const x = b.input('x', f4);
  const {MLContext, MLGraph, MLOperand, MLTensor, ML} = ember;
  for (const type of [ML, MLContext, MLGraph, MLOperand, MLTensor]) {
    throws(() => new type(), /Illegal constructor/);
    throws(() => type());
    assert.equal(
        Object.prototype.toString.call(Object.create(type.prototype)), `[object ${type.name}]`);
  }
  throws(() => new MLGraphBuilder());
  throws(() => new MLGraphBuilder({}), /MLContext/);
  throws(() => MLGraphBuilder(context));
  throws(() => b.add(x), /2 arguments required, 1 given/);
  throws(() => b.add(x, {}), /b must be an MLOperand/);
  throws(() => b.add(x, Object.create(x)), /b must be an MLOperand/);
  throws(() => b.add.call({}, x, x));
  throws(() => MLOperand.prototype.shape);
  throws(() => context.dispatch.call({}, 1, 2, 3));
  for (const name of ['createTensor', 'createConstantTensor', 'readTensor']) {
    await rejects(context[name]());
    await rejects(context[name].call({}, {}, {}));
  }
  await rejects(b.build());
  await rejects(b.build.call({}, {}));
  await rejects(ML.prototype.createContext.call({}));
  await rejects(Object.getOwnPropertyDescriptor(MLContext.prototype, 'lost').get.call({}));
  await assert.rejects(context.createExportableTensor(f4, {}), isTypeError(/GPUDevice/));
  assert.ok(Object.isFrozen(x.shape) && x.shape === x.shape);
  assert.equal(b.add.length, 2);
  assert.equal(b.gruCell.length, 5);
  assert.ok(Object.keys(MLGraphBuilder.prototype).includes('add'));
});

test('options of contexts', async () => {
  for (const o
           of [undefined, null, {}, {deviceType: 'cpu'}, {deviceType: 'npu'},
               {powerPreference: 'low-power', accelerated: false},
               {engine: 'native', device: 'cpu'}])
    assert.equal((await ml.createContext(o)).accelerated, false);
  for (const o
           of [1, 'cpu', {deviceType: 'xpu'}, {powerPreference: 'auto'}, {device: 'nowhere'},
               {engine: Symbol('s')}])
    await rejects(ml.createContext(o));
  await assert.rejects(ml.createContext({engine: 'nonesuch'}));
  await assert.rejects(
      ml.createContext({[Symbol.toStringTag]: 'GPUDevice'}), isDOMException('NotSupportedError'));
});

test('records: own enumerable names, as Unicode', async () => {
  const {context, graph, a, b, c} = await addition();
  const inputs = Object.create(
      {extra: a},
      {a: {value: a, enumerable: true}, b: {value: b, enumerable: true}, hidden: {value: c}});
  context.dispatch(graph, inputs, {c});
  throws(() => context.dispatch(graph, {a, b, [Symbol('s')]: a}, {c}));
  for (const r of [undefined, null, 5, 'a']) throws(() => context.dispatch(graph, r, {c}));
  throws(() => context.dispatch(graph, {a, b: {}}, {c}), /inputs\['b'\] must be an MLTensor/);

  const builder = new MLGraphBuilder(context);
  const outputs = {};
  const one = builder.constant('float32', 1);
  for (const name of ['__proto__', '\ud800', 'nul\0', '😀'])
    Object.defineProperty(
        outputs, name, {value: builder.add(builder.input(name, f4), one), enumerable: true});
  const special = await builder.build(outputs);
  const give = make => Promise.all(Object.keys(outputs).map(async name => [name, await make()]))
                           .then(Object.fromEntries);
  const tensor = () => context.createTensor({...f4, readable: true, writable: true});
  const [ins, outs] = [await give(tensor), await give(tensor)];
  context.writeTensor(ins['\ud800'], Float32Array.of(1, 2, 3, 4));
  context.dispatch(special, ins, outs);
  assert.deepEqual(await floats(context, outs['\ud800']), [2, 3, 4, 5]);
  assert.deepEqual(
      await floats(context, Object.getOwnPropertyDescriptor(outs, '__proto__').value),
      [1, 1, 1, 1]);
  // As Unicode, \ud800 and \ufffd become the same name; the later value counts.
  context.dispatch(
      special, {...ins, ['__proto__']: ins['__proto__'], '\ud801': ins['\ud800']}, outs);
  throws(() => new MLGraphBuilder(context).input('', f4), /empty/);
});

test('buffers: kinds, lengths, detached, resizable', async () => {
  const t = await context.createTensor({...f4, readable: true, writable: true});
  const values = Float32Array.of(1, 2, 3, 4);
  const shared = new SharedArrayBuffer(24);
  const unaligned = new Uint8Array(21).subarray(5);
  new Uint8Array(shared).set(new Uint8Array(values.buffer), 4);
  unaligned.set(new Uint8Array(values.buffer));
  const exact = new SharedArrayBuffer(16);
  new Float32Array(exact).set(values);
  const views = [
    new DataView(values.buffer), Buffer.from(values.buffer), new Int32Array(values.buffer),
    new Uint8Array(shared, 4, 16)
  ];
  for (const source of [values, values.buffer, ...views, exact, unaligned]) {
    context.writeTensor(t, new ArrayBuffer(16));
    context.writeTensor(t, source);
    assert.deepEqual(await floats(context, t), [1, 2, 3, 4]);
    const into = ArrayBuffer.isView(source) ? source : new Uint8Array(source);
    new Uint8Array(into.buffer, into.byteOffset, into.byteLength).fill(0);
    assert.equal(await context.readTensor(t, source), undefined);
    assert.deepEqual(
        await floats(context, t),
        [...new Float32Array(new Uint8Array(into.buffer, into.byteOffset, 16).slice().buffer)]);
  }
  for (const bad
           of [undefined, null, 16, 'x', [1, 2, 3, 4], {}, new ArrayBuffer(0), new ArrayBuffer(15),
               new ArrayBuffer(17), new Float32Array(3)])
    throws(() => context.writeTensor(t, bad));
  for (const bad of [undefined, null, 16, {}, new ArrayBuffer(15), new Float32Array(3)])
    await rejects(context.readTensor(t, bad));
  for (const resizable
           of [new ArrayBuffer(16, {maxByteLength: 32}),
               new SharedArrayBuffer(16, {maxByteLength: 32})])
    for (const source of [resizable, new Uint8Array(resizable)]) {
      throws(() => context.writeTensor(t, source), /resizable/);
      await rejects(context.readTensor(t, source), /resizable/);
    }
  const gone = new Float32Array(4);
  structuredClone(gone, {transfer: [gone.buffer]});
  throws(() => context.writeTensor(t, gone));
  throws(() => context.writeTensor(t, gone.buffer));
  throws(() => builder().constant(f4, gone));
  await rejects(context.createConstantTensor(f4, gone));
  await rejects(context.readTensor(t, gone));
  // A subclass cannot misreport its memory.
  class Liar extends Float32Array {
    get byteLength() { return 16; }
    get buffer() { return values.buffer; }
  }
  throws(() => context.writeTensor(t, new Liar(3)));
  throws(() => builder().constant(f4, new Int32Array(4)), /Int32Array/);
  throws(() => builder().constant(f4, new DataView(new ArrayBuffer(16))), /DataView/);
  builder().constant({dataType: 'float16', shape: [4]}, new Uint16Array(4));
  if (globalThis.Float16Array)
    builder().constant({dataType: 'float16', shape: [4]}, new Float16Array(4));
});

test('install gives another global object what a browser has', () => {
  class Navigator {}
  const target = {Navigator, navigator: new Navigator()};
  ember.install(target);
  assert.equal(target.navigator.ml, ml);
  assert.equal(target.MLGraphBuilder, MLGraphBuilder);
  throws(() => Navigator.prototype.ml);
  const bare = {};
  ember.install(bare);
  assert.equal(bare.navigator.ml, ml);
});
