// WebNN for Node: the interfaces of the W3C's specification over Ember. Values are converted here,
// by Web IDL's rules (webidl.js); the library checks their meaning, through the addon.
'use strict';
const fs = require('node:fs');
const path = require('node:path');
const idl = require('./webidl.js');
const {fail} = idl;

// The places where `make build` and `npm install` put the addon.
const places =
    ['build', 'build/npm'].map(folder => path.join(__dirname, '..', folder, 'node', 'ember.node'));
const native = require(places.find(fs.existsSync) ?? places[0]);

process.once('exit', native.finish);  // process.exit() skips the addon's own cleanup

const rows = native.operators();
const dataTypes = native.dataTypes();
const maxTensorByteLength = native.maxTensorByteLength();
const secret = Symbol('constructed here');
const illegal = () => {
  throw new TypeError('Illegal constructor');
};
const need = (args, n, method) => {
  if (args.length < n)
    throw new TypeError(
        `${method}: ${n} argument${n > 1 ? 's' : ''} required, ${args.length} given`);
};
const stateError = message => new DOMException(message, 'InvalidStateError');
const unsupported = message => new DOMException(message, 'NotSupportedError');
const isGPUDevice = v => Object.prototype.toString.call(v) === '[object GPUDevice]';

// dataType, shape
function descriptor(v, what) {
  const d = idl.dictionary(v, what);
  const {dataType} = d;
  if (dataType === undefined) fail(`${what}.dataType`, 'is required');
  const type = idl.choice(dataType, `${what}.dataType`, dataTypes), {shape} = d;
  if (shape === undefined) fail(`${what}.shape`, 'is required');
  return {dataType: type, shape: idl.sequence(shape, `${what}.shape`, idl.u32)};
}
// Constants are passed as a view of their own type, or of bytes. Before Float16Array existed,
// Uint16Array was float16's type.
const views = {
  float32: ['Float32Array'],
  float16: ['Float16Array', 'Uint16Array'],
  int32: ['Int32Array'],
  uint32: ['Uint32Array'],
  int64: ['BigInt64Array'],
  uint64: ['BigUint64Array'],
  int8: ['Int8Array'],
  uint8: [],
  int4: ['Int8Array'],
  uint4: []
};
function constantSource(v, {dataType}, what) {
  const source = idl.bufferSource(v, what);
  if (ArrayBuffer.isView(v)) {
    const type = idl.viewType.call(v) ?? 'DataView';
    if (type !== 'Uint8Array' && !views[dataType].includes(type))
      fail(what, `of a ${dataType} constant must not be a ${type}`);
  }
  return source;
}

let graphHandle, tensorHandle, tensorBytes, tensorDestroyed, operandHandle, contextState;

class MLOperand {
  #handle;
  #type;
  constructor() {
    if (arguments[0] !== secret) illegal();
    this.#handle = arguments[1];
  }
  get dataType() { return this.#typed()[0]; }
  get shape() { return this.#typed()[1]; }
  #typed() {
    if (this.#type === undefined) {
      this.#type = native.operandType(this.#handle);
      Object.freeze(this.#type[1]);
    }
    return this.#type;
  }
  static {
    operandHandle = (v, what) => typeof v === 'object' && v !== null && #handle in v ?
        v.#handle :
        fail(what, 'must be an MLOperand');
  }
}

class MLTensor {
  #handle;
  #context;
  #type;
  #bytes;
  #destroyed = false;
  constructor() {
    if (arguments[0] !== secret) illegal();
    [, this.#context, this.#handle, this.#type] = arguments;
    const {dataType, shape} = this.#type;
    this.#bytes = Math.ceil(shape.reduce((a, b) => a * b, /\d+$/.exec(dataType) / 8));
    Object.freeze(shape);
  }
  get dataType() { return this.#type.dataType; }
  get shape() { return this.#type.shape; }
  get readable() { return this.#type.readable; }
  get writable() { return this.#type.writable; }
  get constant() { return this.#type.constant; }
  destroy() {
    if (this.#destroyed) return;
    native.destroyTensor(this.#handle);
    this.#destroyed = true;
    for (const p of this.#context.pending)
      if (p.tensor === this) p.reject(stateError('the tensor was destroyed'));
  }
  static {
    const no = (what, name) =>
        fail(name === undefined ? what : `${what}['${name}']`, 'must be an MLTensor');
    tensorHandle = (v, what, name) =>
        typeof v === 'object' && v !== null && #handle in v ? v.#handle : no(what, name);
    tensorDestroyed = t => t.#destroyed;
    tensorBytes = t => t.#bytes;
  }
}

class MLGraph {
  #handle;
  constructor() {
    if (arguments[0] !== secret) illegal();
    this.#handle = arguments[1];
  }
  destroy() { native.destroyGraph(this.#handle); }
  get devices() {
    return native.devices(this.#handle);
  }  // not in the interface, but in the web platform's tests
  static {
    graphHandle = (v, what) => typeof v === 'object' && v !== null && #handle in v ?
        v.#handle :
        fail(what, 'must be an MLGraph');
  }
}

// A wait that destroy() ends early.
function pending(state, tensor, start) {
  return new Promise((resolve, reject) => {
    const p = {
      tensor,
      reject: e => {
        state.pending.delete(p);
        reject(e);
      }
    };
    state.pending.add(p);
    start(value => {
      state.pending.delete(p);
      resolve(value);
    }, p.reject);
  });
}

let created = 0;
class MLContext {
  #handle;
  #state;
  constructor() {
    if (arguments[0] !== secret) illegal();
    const [, handle, accelerated] = arguments;
    this.#handle = handle;
    this.#state = {handle, accelerated, lost: false, pending: new Set()};
    this.#state.lostPromise = new Promise(resolve => {
      this.#state.lose = resolve;
    });
  }
  dispatch(graph, inputs, outputs) {
    const list = [this.#handle, undefined, 0];
    need(arguments, 3, 'dispatch');
    list[1] = graphHandle(graph, '[dispatch] graph');
    list[2] = idl.record(list, inputs, '[dispatch] inputs', tensorHandle);
    idl.record(list, outputs, '[dispatch] outputs', tensorHandle);
    native.dispatch(...list);
  }
  async createTensor(descriptor_) {
    const handle = this.#handle;
    need(arguments, 1, 'createTensor');
    const d = descriptor(descriptor_, '[createTensor] descriptor');
    const readable = !!descriptor_.readable;
    const writable = !!descriptor_.writable;
    const tensor = new MLTensor(
        secret, this.#state, native.createTensor(handle, d.dataType, d.shape, readable, writable),
        {...d, readable, writable, constant: false});
    // Node frees collected memory between two iterations of its loop; a program that only awaits
    // tensors would never reach one.
    if (++created % 1024 === 0) await new Promise(setImmediate);
    return tensor;
  }
  async createConstantTensor(descriptor_, inputData) {
    const handle = this.#handle;
    need(arguments, 2, 'createConstantTensor');
    const d = descriptor(descriptor_, '[createConstantTensor] descriptor');
    const data = constantSource(inputData, d, '[createConstantTensor] inputData');
    return new MLTensor(
        secret, this.#state, native.createConstantTensor(handle, d.dataType, d.shape, data),
        {...d, readable: false, writable: false, constant: true});
  }
  // Node has no interface that creates a GPUDevice with which Ember could share memory.
  async createExportableTensor(descriptor_, gpuDevice) {
    this.#handle;
    need(arguments, 2, 'createExportableTensor');
    descriptor(descriptor_, '[createExportableTensor] descriptor');
    if (!isGPUDevice(gpuDevice)) fail('[createExportableTensor] gpuDevice', 'must be a GPUDevice');
    throw unsupported('[createExportableTensor] there is no WebGPU here');
  }
  exportToGPU(tensor) {
    this.#handle;
    need(arguments, 1, 'exportToGPU');
    tensorHandle(tensor, '[exportToGPU] tensor');
    throw unsupported('[exportToGPU] there is no WebGPU here');
  }
  async readTensor(tensor) {
    const handle = this.#handle;
    const state = this.#state;
    need(arguments, 1, 'readTensor');
    const from = tensorHandle(tensor, '[readTensor] tensor');
    const given = arguments.length > 1 ? idl.bufferSource(arguments[1], '[readTensor] outputData') :
                                         undefined;
    const out = given ?? Buffer.allocUnsafeSlow(tensorBytes(tensor)).buffer;
    const result = given ? undefined : out;  // not initialized with zeros
    let settle;
    if (!native.read(handle, from, out, error => settle(error)))
      return pending(state, tensor, (resolve, reject) => {
        settle = error => error ? reject(error) : resolve(result);
      });
    // The answer is available, but the promise stays pending until the program has yielded.
    await undefined;
    if (state.lost) throw stateError('the context was destroyed');
    if (tensorDestroyed(tensor)) throw stateError('the tensor was destroyed');
    if (given && native.byteLength(given) < tensorBytes(tensor))
      fail('[readTensor] outputData', 'was detached while the read was pending');
    return result;
  }
  writeTensor(tensor, inputData) {
    const handle = this.#handle;
    need(arguments, 2, 'writeTensor');
    native.write(
        handle, tensorHandle(tensor, '[writeTensor] tensor'),
        idl.bufferSource(inputData, '[writeTensor] inputData'));
  }
  opSupportLimits() {
    this.#handle;
    const limit = (types, min, max) => ({dataTypes: [...types], rankRange: {min, max}});
    const limits = {maxTensorByteLength, preferredInputLayout: 'nchw'};
    for (const name of ['input', 'constant', 'output']) limits[name] = limit(dataTypes, 0, 8);
    for (const op of rows) {
      const of = limits[op.name] = {};
      for (const l of op.limits) of[l.name] = limit(l.dataTypes, l.min, l.max);
    }
    return limits;
  }
  destroy() {
    const state = this.#state;
    if (state.lost) return;
    native.destroyContext(this.#handle);
    state.lost = true;
    state.lose({message: 'the context was destroyed'});
    for (const p of state.pending) p.reject(stateError('the context was destroyed'));
  }
  get accelerated() { return this.#state.accelerated; }
  get lost() {
    return #state in Object(this) ? this.#state.lostPromise :
                                    Promise.reject(new TypeError('Illegal invocation'));
  }
  static {
    contextState = (v, what) => typeof v === 'object' && v !== null && #state in v ?
        v.#state :
        fail(what, 'must be an MLContext');
  }
}

class MLGraphBuilder {
  #handle;
  #state;
  constructor(context) {
    need(arguments, 1, 'MLGraphBuilder');
    this.#state = contextState(context, '[MLGraphBuilder] context');
    this.#handle = native.newBuilder(this.#state.handle);
  }
  input(name, descriptor_) {
    const handle = this.#handle;
    need(arguments, 2, 'input');
    const n = idl.usv(name, '[input] name');
    const d = descriptor(descriptor_, '[input] descriptor');
    return new MLOperand(secret, native.input(handle, n, d.dataType, d.shape));
  }
  constant(first) {
    const handle = this.#handle;
    need(arguments, 1, 'constant');
    if (arguments.length === 1)
      return new MLOperand(
          secret, native.constantTensor(handle, tensorHandle(first, '[constant] tensor')));
    if (first === undefined || first === null || typeof first === 'object' ||
        typeof first === 'function') {
      const d = descriptor(first, '[constant] descriptor');
      return new MLOperand(
          secret,
          native.constant(
              handle, d.dataType, d.shape, constantSource(arguments[1], d, '[constant] buffer')));
    }
    const type =
        idl.choice(first, '[constant] dataType', dataTypes.filter(t => !t.endsWith('int4')));
    return new MLOperand(
        secret,
        native.scalar(
            handle, type, idl.numberFor(type, idl.number(arguments[1]), '[constant] value')));
  }
  async build(outputs) {
    const list = [this.#handle];
    need(arguments, 1, 'build');
    idl.record(list, outputs, '[build] outputs', operandHandle);
    const built = native.build(...list);
    return pending(
        this.#state, undefined,
        (resolve, reject) => built.then(handle => resolve(new MLGraph(secret, handle)), reject));
  }
  static {
    // One method for every operator's row.
    const convert = {
      operand: operandHandle,
      boolean: v => !!v,
      u32: idl.u32,
      wrapped_u32: idl.wrapped_u32,
      i32: idl.i32,
      f64: idl.f64,
      number: idl.number,
      operands: (v, what) => idl.sequence(v, what, operandHandle),
      u32s: (v, what) => idl.sequence(v, what, idl.u32),
      wrapped_u32s: (v, what) => idl.sequence(v, what, idl.wrapped_u32),
      f32s: (v, what) => idl.sequence(v, what, idl.f32),
      data_type: (v, what) => idl.choice(v, what, dataTypes),
      choice: (v, what, {choices}) => idl.choice(v, what, choices),
      choices: (v, what, {choices}) => idl.sequence(v, what, (e, w) => idl.choice(e, w, choices)),
      splits: (v, what) => Object(v) === v && v[Symbol.iterator] != null ?
          idl.sequence(v, what, idl.u32) :
          idl.u32(v, what),
    };
    rows.forEach(({name, params, options, several}, index) => {
      const sorted = options.map((p, i) => ({p, i})).sort((a, b) => a.p.name < b.p.name ? -1 : 1);
      const required = params.length;
      const numbers = sorted.filter(({p}) => p.type === 'number');
      const method = {
        [name](...given) {
          const handle = this.#handle;
          need(given, required, name);
          const args = params.map((p, i) => convert[p.type](given[i], `[${name}] ${p.name}`, p));
          const dictionary = idl.dictionary(given[required], `[${name}] options`),
                chosen = Array(options.length);
          const label = dictionary.label === undefined ?
              '' :
              idl.usv(dictionary.label, `[${name}] options.label`);
          for (const {p, i} of sorted) {
            const v = dictionary[p.name];
            if (v !== undefined) chosen[i] = convert[p.type](v, `[${name}] options.${p.name}`, p);
          }
          for (const {p, i} of numbers)
            chosen[i] = idl.numberFor(
                native.operandType(args[0])[0], chosen[i],
                `${label && `[${label}] `}[${name}] ${p.name}`);
          const result = native.call(handle, index, args, chosen, label);
          return several ? result.map(h => new MLOperand(secret, h)) :
                           new MLOperand(secret, result);
        },
      }[name];
      Object.defineProperty(method, 'length', {value: required, configurable: true});
      Object.defineProperty(
          MLGraphBuilder.prototype, name, {value: method, writable: true, configurable: true});
    });
  }
}

class ML {
  #brand;
  constructor() {
    if (arguments[0] !== secret) illegal();
  }
  // Outside the specification: engine, one of Ember's backends, and device, one of the engine's.
  // deviceType is from earlier versions of the specification.
  async createContext() {
    this.#brand;
    const [given] = arguments;
    if (isGPUDevice(given)) throw unsupported('[createContext] there is no WebGPU here');
    const o = idl.dictionary(given, '[createContext] options');
    const text = (v, what) => v === undefined ? '' : idl.usv(v, `[createContext] ${what}`);
    let accelerated = o.accelerated === undefined || !!o.accelerated;
    const device = text(o.device, 'device');
    const {deviceType} = o;
    if (deviceType !== undefined)
      accelerated =
          idl.choice(deviceType, '[createContext] deviceType', ['cpu', 'gpu', 'npu']) !== 'cpu';
    const engine = text(o.engine, 'engine');
    const {powerPreference = 'default'} = o;
    const power = idl.choice(
        powerPreference, '[createContext] powerPreference',
        ['default', 'high-performance', 'low-power']);
    return new MLContext(secret, ...await native.createContext(power, accelerated, engine, device));
  }
}

const interfaces = {
  ML,
  MLContext,
  MLGraph,
  MLGraphBuilder,
  MLOperand,
  MLTensor
};
for (const [name, type] of Object.entries(interfaces)) {
  for (const member of Object.getOwnPropertyNames(type.prototype))
    if (member !== 'constructor') Object.defineProperty(type.prototype, member, {enumerable: true});
  Object.defineProperty(type.prototype, Symbol.toStringTag, {value: name, configurable: true});
}
const ml = new ML(secret);

// Adds to a global object what a browser's has: the interfaces, and navigator.ml.
function install(target = globalThis) {
  const define = (name, value) =>
      Object.defineProperty(target, name, {value, writable: true, configurable: true});
  for (const [name, type] of Object.entries(interfaces)) define(name, type);
  if (!target.navigator) {
    define('Navigator', class Navigator {});
    define('navigator', new target.Navigator());
  }
  const {navigator} = target;
  const {get} = Object.getOwnPropertyDescriptor(
      {
        get ml() { return this === navigator ? ml : fail('this', 'must be the navigator'); },
      },
      'ml');
  Object.defineProperty(
      Object.getPrototypeOf(navigator), 'ml',
      {get, set: undefined, enumerable: true, configurable: true});
}

// The tensors of a file, by name: safetensors, .npz, or .npy (under the name "tensor").
const arrays = {
  float64: Float64Array,
  float32: Float32Array,
  float16: globalThis.Float16Array ?? Uint16Array,
  bfloat16: Uint16Array,
  int64: BigInt64Array,
  uint64: BigUint64Array,
  int32: Int32Array,
  uint32: Uint32Array,
  int16: Int16Array,
  uint16: Uint16Array,
  int8: Int8Array,
  complex64: Float32Array,
  complex128: Float64Array
};  // bytes for all other types
async function load(file) {
  const tensors = Object.create(null);
  for (const [name, dataType, shape, buffer] of await native.load(idl.usv(file, '[load] path')))
    tensors[name] = {dataType, shape, data: new (arrays[dataType] ?? Uint8Array)(buffer)};
  return tensors;
}

module.exports = {
  ...interfaces,
  ml,
  install,
  load
};
