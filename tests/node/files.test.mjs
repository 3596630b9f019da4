// Files through Node: the same files that C++ and Python read.
import assert from 'node:assert/strict';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import {after, test} from 'node:test';

import ember, {isDOMException, ml, MLGraphBuilder} from './helpers.mjs';

const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'ember-'));
after(() => fs.rmSync(folder, {recursive: true}));
const file = (name, ...parts) => {
  fs.writeFileSync(path.join(folder, name), Buffer.concat(parts));
  return path.join(folder, name);
};
function safetensors(name, header, ...data) {
  const text = Buffer.from(typeof header === 'string' ? header : JSON.stringify(header));
  const length = Buffer.alloc(8);
  length.writeBigUInt64LE(BigInt(text.length));
  return file(name, length, text, ...data.map(d => Buffer.from(d.buffer)));
}

test('safetensors: types, shapes, names', async () => {
  const float = Float32Array.of(1.5, -2, 3, 4, 5, 6);
  const half = Uint16Array.of(0x3c00, 0xc000);
  const long = BigInt64Array.of(2n ** 60n);
  const flag = Uint8Array.of(1);
  const header =
      '{"__proto__":{"dtype":"F32","shape":[2,3],"data_offsets":[0,24]},"half 😀":{"dtype":"F16","shape":[2],"data_offsets":[24,28]},' +
      '"brain":{"dtype":"BF16","shape":[2],"data_offsets":[28,32]},"long":{"dtype":"I64","shape":[],"data_offsets":[32,40]},' +
      '"flag":{"dtype":"BOOL","shape":[1],"data_offsets":[40,41]},"none":{"dtype":"F32","shape":[0,3],"data_offsets":[41,41]}}';
  const tensors =
      await ember.load(safetensors('good.safetensors', header, float, half, half, long, flag));
  assert.deepEqual(
      Object.keys(tensors).sort(), ['__proto__', 'brain', 'flag', 'half 😀', 'long', 'none']);
  assert.deepEqual(tensors['__proto__'], {dataType: 'float32', shape: [2, 3], data: float});
  const {data, ...type} = tensors['half 😀'];
  assert.deepEqual(type, {dataType: 'float16', shape: [2]});
  assert.equal(data.constructor, globalThis.Float16Array ?? Uint16Array);
  assert.deepEqual(new Uint16Array(data.buffer), half);
  assert.deepEqual(tensors.brain, {dataType: 'bfloat16', shape: [2], data: half});
  assert.deepEqual(tensors.long, {dataType: 'int64', shape: [], data: long});
  assert.deepEqual(tensors.flag, {dataType: 'bool', shape: [1], data: flag});
  assert.deepEqual(tensors.none, {dataType: 'float32', shape: [0, 3], data: new Float32Array(0)});
  float.set(tensors['__proto__'].data.fill(7));  // the program owns the memory
  const builder = new MLGraphBuilder(await ml.createContext());
  assert.deepEqual(builder.constant(tensors['__proto__'], tensors['__proto__'].data).shape, [2, 3]);
});

test('npy has one tensor', async () => {
  const header =
      '{\'descr\': \'<i4\', \'fortran_order\': False, \'shape\': (3,), }'.padEnd(117) + '\n';
  const start = Buffer.from('\x93NUMPY\x01\x00', 'latin1');
  const length = Buffer.from(Uint16Array.of(header.length).buffer);
  const npy = file(
      'a.npy', start, length, Buffer.from(header), Buffer.from(Int32Array.of(1, -2, 3).buffer));
  assert.deepEqual(
      {...await ember.load(npy)},
      {tensor: {dataType: 'int32', shape: [3], data: Int32Array.of(1, -2, 3)}});
});

test('what is no such file is refused', async () => {
  const one = {dtype: 'F32', shape: [1], data_offsets: [0, 4]};
  const four = new Uint8Array(4);
  const refused = isDOMException('OperationError');
  const bad = [
    path.join(folder, 'absent.safetensors'),
    folder,
    file('empty.safetensors'),
    file('short.safetensors', Buffer.alloc(7)),
    file('huge.safetensors', Buffer.alloc(16, 255)),
    safetensors('list.safetensors', '[]'),
    safetensors('text.safetensors', 'junk'),
    safetensors('past.safetensors', {x: {...one, data_offsets: [0, 8]}}, four),
    safetensors('product.safetensors', {x: {...one, shape: [2 ** 40, 2 ** 40]}}, four),
    safetensors('type.safetensors', {x: {...one, dtype: 'F99'}}, four),
    safetensors('trailing.safetensors', {x: one}, four, four),
    safetensors('deep.safetensors', '['.repeat(100000)),
    file('pickle.npy', Buffer.from('\x80\x04K\x01.', 'latin1')),
    file('what.txt'),
  ];
  for (const name of bad) await assert.rejects(ember.load(name), refused, name);
  await assert.rejects(ember.load(Symbol('path')), TypeError);
  await assert.rejects(ember.load('a\0.safetensors'));
});
