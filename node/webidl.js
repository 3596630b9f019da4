// Web IDL: conversion of a program's values to the interface's types. Each function throws a
// TypeError that names the argument.
'use strict';
const {types: {isArrayBuffer, isSharedArrayBuffer}} = require('node:util');

const fail = (what, must) => {
  throw new TypeError(`${what} ${must}`);
};
const isObject = v => (typeof v === 'object' && v !== null) || typeof v === 'function';

// [EnforceRange]: fractions are truncated; other values that do not fit are rejected.
function integer(v, what, low, high) {
  const x = Math.trunc(+v) + 0;
  return x >= low && x <= high ? x :
                                 fail(what, `must be an integer from ${low} to ${high}, not ${x}`);
}
const u32 = (v, what) => integer(v, what, 0, 4294967295);
const i32 = (v, what) => integer(v, what, -2147483648, 2147483647);
const wrapped_u32 = v => v >>> 0;
function f64(v, what) {
  const x = +v;
  return Number.isFinite(x) ? x : fail(what, `must be a finite number, not ${x}`);
}
function f32(v, what) {
  const x = Math.fround(+v);
  return Number.isFinite(x) ? x : fail(what, 'must be a finite number of 32 bits');
}
// (bigint or unrestricted double): the old value of v++ is v as a number of either kind.
const number = v => v++;
// An MLNumber for an operand: a BigInt is for 64-bit integers; a longer one becomes a double, which
// is clamped to their range.
function numberFor(dataType, v, what) {
  if (typeof v !== 'bigint') return v;
  if (!dataType.endsWith('64')) fail(what, `must not be a BigInt, as the operand is ${dataType}`);
  return v < -(2n ** 63n) || v >= 2n ** 64n ? Number(v) : v;
}
const string = (v, what) => typeof v === 'symbol' ? fail(what, 'is a symbol') : `${v}`;
const usv = (v, what) => string(v, what).toWellFormed();
function choice(v, what, choices) {
  const s = string(v, what);
  return choices.includes(s) ? s : fail(what, `must be one of ${choices.join(', ')}, not '${s}'`);
}
const object = (v, what) => isObject(v) ? v : fail(what, 'must be an object');

// Uses the value's own iterator, which is not closed when an element is rejected.
function sequence(v, what, convert) {
  const start = isObject(v) ? v[Symbol.iterator] : undefined;
  if (typeof start !== 'function') fail(what, 'must be a list');
  const iterator = object(Reflect.apply(start, v, []), `the iterator of ${what}`),
        {next} = iterator, out = [];
  for (;;) {
    const step = object(Reflect.apply(next, iterator, []), `a step of ${what}`);
    if (step.done) return out;
    out.push(convert(step.value, `${what}[${out.length}]`));
  }
}

// A record's entries are its own enumerable properties, appended to `to` as name, value, name,
// value...
const enumerable = Object.prototype.propertyIsEnumerable;
function record(to, v, what, convert) {
  const start = to.length;
  for (const key of Reflect.ownKeys(object(v, what))) {
    if (!enumerable.call(v, key)) continue;
    const name = usv(key, `a name of ${what}`), value = convert(v[key], what, name);
    if (name !== key) {  // two names may have become equal; the later one counts
      let at = start;
      while (at < to.length && to[at] !== name) at += 2;
      to[at] = name, to[at + 1] = value;
    } else
      to.push(name, value);
  }
  return (to.length - start) / 2;
}

// Members are read in the order of their names, after label, a member of the inherited dictionary.
const dictionary = (v, what) => v === undefined || v === null ? {} : object(v, what);

// AllowSharedBufferSource, without resizable buffers.
const getter = (type, name) => Object.getOwnPropertyDescriptor(type.prototype, name).get;
const TypedArray = Object.getPrototypeOf(Uint8Array);
const bufferOf = getter(TypedArray, 'buffer');
const bufferOfDataView = getter(DataView, 'buffer');
const viewType = getter(TypedArray, Symbol.toStringTag);
const resizable = getter(ArrayBuffer, 'resizable');
const growable = getter(SharedArrayBuffer, 'growable');
function bufferSource(v, what) {
  let buffer = v;
  if (ArrayBuffer.isView(v))
    buffer = viewType.call(v) ? bufferOf.call(v) : bufferOfDataView.call(v);
  const shared = isSharedArrayBuffer(buffer);
  if (!shared && !isArrayBuffer(buffer))
    fail(what, 'must be an ArrayBuffer, a SharedArrayBuffer or a view of one');
  if ((shared ? growable : resizable).call(buffer)) fail(what, 'must not be resizable');
  return shared && v === buffer ? new Uint8Array(v) :
                                  v;  // Node-API only accepts views of shared memory
}

module.exports = {
  fail,
  u32,
  i32,
  wrapped_u32,
  f64,
  f32,
  number,
  numberFor,
  usv,
  choice,
  sequence,
  record,
  dictionary,
  bufferSource,
  viewType
};
