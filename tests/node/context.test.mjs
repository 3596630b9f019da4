// Contexts, tensors and graphs: rejected arguments, the order of operations, and the results of
// promises.
import assert from 'node:assert/strict';
import {spawnSync} from 'node:child_process';
import {once} from 'node:events';
import {test} from 'node:test';
import {Worker} from 'node:worker_threads';

import {addition, f4, floats, isDOMException, isTypeError, ml, MLGraphBuilder, slow, turns} from './helpers.mjs';

const invalid = isDOMException('InvalidStateError');
const typeError = isTypeError();
const all = value => Float32Array.of(value, value, value, value);
const helpers = JSON.stringify(new URL('helpers.mjs', import.meta.url).href);
const child = code => spawnSync(
    process.execPath, ['--input-type=module', '-e', `import * as h from ${helpers}; ${code}`],
    {encoding: 'utf8', timeout: 600000});

test('the specification\'s example', async () => {
  const context = await ml.createContext();
  const builder = new MLGraphBuilder(context);
  const type = {dataType: 'float32', shape: [2, 2]};
  const constant = builder.constant(type, new Float32Array(4).fill(0.2));
  const A = builder.input('A', type);
  const B = builder.input('B', type);
  const C = builder.add(builder.mul(A, constant), B);
  const graph = await builder.build({C});
  const flags = [{writable: true}, {writable: true}, {readable: true}];
  const [a, b, c] = await Promise.all(flags.map(f => context.createTensor({...type, ...f})));
  context.writeTensor(a, all(1));
  context.writeTensor(b, all(0.8));
  context.dispatch(graph, {A: a, B: b}, {C: c});
  assert.deepEqual(await floats(context, c), [1, 1, 1, 1]);
});

test('dispatches that are refused', async () => {
  const {context, graph, a, b, c} = await addition();
  const other = await addition();
  const refused = (inputs, outputs, g = graph) =>
      assert.throws(() => context.dispatch(g, inputs, outputs), typeError);
  const typed = (dataType, shape) => context.createTensor({dataType, shape, readable: true});
  refused({a, b: a}, {c});  // one tensor twice
  refused({a, b}, {c: a});
  refused({a}, {c});  // missing, extra, misnamed
  refused({a, b}, {});
  refused({a, b, d: await typed('float32', [4])}, {c});
  refused({a, B: b}, {c});
  refused({a, '': b}, {c});
  refused({a, b}, {c, a: await typed('float32', [4])});
  refused({a: other.a, b}, {c});  // of another context
  refused({a, b}, {c: other.c});
  refused({a, b}, {c}, other.graph);
  refused({a: await typed('int32', [4]), b}, {c});  // types
  refused({a: await typed('float32', [1]), b}, {c});
  refused({a: await typed('float32', [1, 1, 2, 2]), b}, {c});
  refused({a, b}, {c: await typed('float32', [2, 2])});
  refused({a: await context.createConstantTensor(f4, all(1)), b}, {c});
  refused({a, b}, {c: await context.createConstantTensor(f4, all(1))});
  context.dispatch(graph, {a, b}, {c});  // the rejected calls changed nothing
  assert.deepEqual(await floats(context, c), [0, 0, 0, 0]);
});

test('reads and writes that are refused', async () => {
  const context = await ml.createContext();
  const other = await ml.createContext();
  const plain = await context.createTensor(f4);
  const own = await context.createTensor({...f4, readable: true, writable: true});
  await assert.rejects(context.readTensor(plain), isTypeError(/not readable/));
  await assert.rejects(context.readTensor(plain, new Float32Array(4)), isTypeError(/not readable/));
  assert.throws(() => context.writeTensor(plain, all(1)), isTypeError(/not writable/));
  await assert.rejects(other.readTensor(own), isTypeError(/another context/));
  assert.throws(() => other.writeTensor(own, all(1)), isTypeError(/another context/));
  await assert.rejects(context.createTensor({dataType: 'float32', shape: [2 ** 30]}), typeError);
  await assert.rejects(
      context.createTensor({dataType: 'float32', shape: [65536, 65536, 65536, 65536]}), typeError);
});

test('builders that are refused', async () => {
  const context = await ml.createContext();
  const builder = new MLGraphBuilder(context);
  const stranger = new MLGraphBuilder(context);
  const x = builder.input('x', f4);
  const y = builder.relu(x);
  assert.throws(() => builder.add(x, stranger.input('x', f4)), isTypeError(/another builder/));
  await assert.rejects(stranger.build({y}), isTypeError(/another builder/));
  await assert.rejects(builder.build({}), typeError);
  await assert.rejects(builder.build({'': y}), typeError);
  await assert.rejects(builder.build({x}), typeError);
  await assert.rejects(builder.build({y: {}}), isTypeError(/must be an MLOperand/));
  await assert.rejects(
      builder.build({z: builder.add(builder.input('two', f4), builder.input('two', f4))}),
      isTypeError(/duplicate input 'two'/));
  const building = builder.build({y});  // the rejected call did not use up the builder
  assert.throws(() => builder.relu(x), invalid);
  assert.throws(() => builder.input('z', f4), invalid);
  assert.throws(() => builder.constant(f4, all(1)), invalid);
  await assert.rejects(builder.build({y}), invalid);
  await building;
  await assert.rejects(builder.build({y}), invalid);
});

test('weights are taken when they are given', async () => {
  const context = await ml.createContext();
  const builder = new MLGraphBuilder(context);
  const weights = all(5);
  const tensor = await context.createConstantTensor(f4, weights);
  const sum = builder.add(builder.constant(f4, weights), builder.constant(tensor));
  weights.fill(7);
  const graph = await builder.build({sum});
  weights.fill(9);
  tensor.destroy();
  const out = await context.createTensor({...f4, readable: true});
  context.dispatch(graph, {}, {sum: out});
  assert.deepEqual(await floats(context, out), [10, 10, 10, 10]);
});

test('calls happen in their order, awaited or not', async () => {
  const {context, graph, a, b, c} = await addition();
  const heavy = await slow(context);
  for (const busy of [false, true]) {
    if (busy) heavy.dispatch();
    const reads = [];
    for (let i = 0; i < 5; ++i) {
      context.writeTensor(a, all(i));
      context.writeTensor(b, all(10 * i));
      context.dispatch(graph, {a, b}, {c});
      reads.push(floats(context, c));
      context.dispatch(graph, {a: c, b}, {c: a});
      reads.push(floats(context, a));
    }
    assert.deepEqual(
        (await Promise.all(reads)).map(v => v[0]), [0, 0, 11, 21, 22, 42, 33, 63, 44, 84]);
  }
});

test('the event loop turns while a graph is compiled and while it runs', async () => {
  const {context, output, dispatch} = await slow();
  dispatch();
  assert.ok(await turns(context.readTensor(output)) > 10);
  const builder = new MLGraphBuilder(context);
  const x = builder.input('x', {dataType: 'float32', shape: [64, 64]});
  let y = x;
  for (let i = 0; i < 10000; ++i) y = builder.matmul(builder.tanh(y), x);
  const building = builder.build({y});
  assert.ok(await turns(building) > 10);
  await building;
});

test('a read is pending until the program has had its turn', async () => {
  const {context, c} = await addition();
  const buffer = new ArrayBuffer(16);
  let read = context.readTensor(c, buffer);
  structuredClone(buffer, {transfer: [buffer]});
  await assert.rejects(read, isTypeError(/detached/));
  read = [context.readTensor(c), context.readTensor(c, new Float32Array(4))];
  c.destroy();
  c.destroy();
  for (const r of read) await assert.rejects(r, invalid);
  await assert.rejects(context.readTensor(c), invalid);
  assert.throws(() => context.writeTensor(c, all(1)), invalid);
});

test('destroying ends reads in flight at once', async () => {
  const {context, input, output, dispatch} = await slow();
  const other = await context.createTensor({...f4, readable: true});
  dispatch();
  const reads =
      [context.readTensor(output), context.readTensor(output, new Float32Array(768 * 768))];
  const kept = context.readTensor(other);
  output.destroy();
  assert.ok(await turns(Promise.all(reads.map(r => assert.rejects(r, invalid)))) <= 1);
  assert.equal((await kept).byteLength, 16);  // another tensor's read is not affected
  assert.throws(dispatch, e => typeError(e) || invalid(e));
  input.destroy();

  const second = await slow();
  second.dispatch();
  const read = second.context.readTensor(second.output);
  const building = new MLGraphBuilder(second.context);
  const build = building.build({y: building.relu(building.input('x', f4))});
  second.context.destroy();
  second.context.destroy();
  assert.ok(await turns(Promise.all([read, build].map(r => assert.rejects(r, invalid)))) <= 1);
  assert.match((await second.context.lost).message, /destroyed/);
});

test('a buffer that is detached or left while a read is in flight', async () => {
  const {context, output, dispatch} = await slow();
  dispatch();
  const buffer = new ArrayBuffer(768 * 768 * 4);
  const read = context.readTensor(output, buffer);
  structuredClone(buffer, {transfer: [buffer]});
  await assert.rejects(read, isTypeError(/detached/));
  dispatch();
  await assert.rejects(context.readTensor(output, new ArrayBuffer(16)), isTypeError(/16 bytes/));
});

test('what is lost stays lost', async () => {
  const {context, graph, a, b, c} = await addition();
  const builder = new MLGraphBuilder(context);
  graph.destroy();
  graph.destroy();
  assert.throws(() => context.dispatch(graph, {a, b}, {c}), invalid);
  context.destroy();
  assert.equal(await context.lost, await context.lost);
  assert.throws(() => new MLGraphBuilder(context), invalid);
  assert.throws(() => builder.input('x', f4), invalid);
  assert.throws(() => context.writeTensor(a, all(1)), invalid);
  await assert.rejects(context.createTensor(f4), invalid);
  await assert.rejects(context.createConstantTensor(f4, all(1)), invalid);
  await assert.rejects(context.readTensor(c), invalid);
});

test('limits name every operator, and are a copy', async () => {
  const context = await ml.createContext();
  const limits = context.opSupportLimits();
  assert.equal(Object.keys(limits).length, 100);
  assert.deepEqual(limits.input.dataTypes, [
    'float32', 'float16', 'int32', 'uint32', 'int64', 'uint64', 'int8', 'uint8', 'int4', 'uint4'
  ]);
  limits.add.a.dataTypes.length = 0;
  assert.notEqual(context.opSupportLimits().add.a.dataTypes.length, 0);
});

test('float16 and 4-bit integers', async () => {
  const context = await ml.createContext();
  const builder = new MLGraphBuilder(context);
  const x = builder.input('x', {dataType: 'int4', shape: [3]});
  const graph = await builder.build({y: builder.cast(x, 'float16')});
  const input = await context.createTensor({dataType: 'int4', shape: [3], writable: true});
  const y = await context.createTensor({dataType: 'float16', shape: [3], readable: true});
  context.writeTensor(input, Uint8Array.of(0xf7, 0x08));  // 7, -1, -8
  context.dispatch(graph, {x: input}, {y});
  const bits = await context.readTensor(y);
  assert.deepEqual([...new Uint16Array(bits)], [0x4700, 0xbc00, 0xc800]);
  if (globalThis.Float16Array) assert.deepEqual([...new Float16Array(bits)], [7, -1, -8]);
});

test('tensors that are made and left, or destroyed, take no memory', async () => {
  const context = await ml.createContext();
  const page = new Float32Array(1024);
  const type = {dataType: 'float32', shape: [1024], writable: true};
  const round = async destroy => {
    for (let i = 0; i < 20000; ++i) {
      const t = await context.createTensor(type);
      context.writeTensor(t, page);
      if (destroy) t.destroy();
    }
    return process.memoryUsage().rss / 2 ** 20;
  };
  for (const destroy of [true, false]) {
    await round(destroy);
    const before = await round(destroy);  // a round writes 80 MB
    let after = 0;
    for (let i = 0; i < 4; ++i) after = await round(destroy);
    assert.ok(after - before < 40, `${before} MB became ${after} MB`);
  }
});

test('a process waits for its reads, and for nothing else', () => {
  const read = child(
      'const s = await h.slow(); s.dispatch(); s.context.readTensor(s.output).then(b => console.log(b.byteLength));');
  assert.deepEqual([read.stdout, read.stderr, read.status], [`${768 * 768 * 4}\n`, '', 0]);
  const idle = child(
      'await h.addition(); const s = await h.slow(); s.context.lost.then(() => console.log("lost"));');
  assert.deepEqual([idle.stdout, idle.stderr, idle.status], ['', '', 0]);
  const late =
      'process.on("exit", () => { try { s.dispatch(); } catch (e) { console.log(e.name); } });';  // after the addon's own
  const exit = child(`const s = await h.slow(); s.dispatch(); s.context.readTensor(s.output); ${
      late} process.exit(3);`);
  assert.deepEqual([exit.stdout, exit.stderr, exit.status], ['InvalidStateError\n', '', 3]);
});

test('workers have contexts of their own, and may end at any time', async () => {
  const start = work => new Worker(
      `import(${
          helpers}).then(async h => { const { parentPort } = require('node:worker_threads'); ${
          work} })`,
      {eval: true});
  const worker = start(`const { context, graph, a, b, c } = await h.addition();
    context.writeTensor(a, Float32Array.of(1, 2, 3, 4));
    context.dispatch(graph, { a, b }, { c });
    parentPort.postMessage(await h.floats(context, c));`);
  const [answer] = await once(worker, 'message');
  assert.deepEqual(answer, [1, 2, 3, 4]);
  await once(worker, 'exit');
  for (let i = 0; i < 3; ++i) {
    const busy = start(
        'const s = await h.slow(); s.dispatch(); s.context.readTensor(s.output); h.slow(); parentPort.postMessage(0);');
    await once(busy, 'message');
    await busy.terminate();
  }
});
