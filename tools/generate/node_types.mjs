// Prints node/index.d.ts, the types of Node's package, from the operators' rows.
import {createRequire} from 'node:module';

const native = createRequire(import.meta.url)('../../build/node/ember.node');
const rows = native.operators();

const quoted = list => list.map(s => `'${s}'`).join(' | ');
const types = {
  operand: 'MLOperand',
  operands: 'Iterable<MLOperand>',
  boolean: 'boolean',
  u32: 'number',
  wrapped_u32: 'number',
  i32: 'number',
  f64: 'number',
  u32s: 'Iterable<number>',
  wrapped_u32s: 'Iterable<number>',
  f32s: 'Iterable<number>',
  number: 'MLNumber',
  data_type: 'MLOperandDataType',
  splits: 'number | Iterable<number>',
};
const typeOf = p =>
    types[p.type] ?? (p.type === 'choices' ? `Iterable<${quoted(p.choices)}>` : quoted(p.choices));

// Dictionaries have the specification's names: an operator's own name, or that of a family.
const family = name => /^arg/.test(name) ? 'ArgMinMax' :
    /Pool2d$/.test(name)                 ? 'Pool2d' :
    /^reduce/.test(name)                 ? 'Reduce' :
    /^gather/.test(name)                 ? 'Gather' :
    /^scatter/.test(name)                ? 'Scatter' :
                                           name[0].toUpperCase() + name.slice(1);
const optionsOf = op => op.options.length ? `ML${family(op.name)}Options` : 'MLOperatorOptions';
const dictionaries = new Map();
for (const op of rows)
  if (op.options.length) {
    const members = op.options.map(p => `  ${p.name}?: ${typeOf(p)};\n`).join('');
    dictionaries.set(
        optionsOf(op),
        `export interface ${optionsOf(op)} extends MLOperatorOptions {\n${members}}\n`);
  }

const methods =
    rows.map(op => {
          const params = op.params.map(p => `${p.name}: ${typeOf(p)}`)
                             .concat(`options?: ${optionsOf(op)}`)
                             .join(', ');
          return `  ${op.name}(${params}): ${op.several ? 'MLOperand[]' : 'MLOperand'};\n`;
        })
        .join('');
const limits = rows.map(
                       op => `  ${op.name}: { ${
                           op.limits.map(l => `${l.name}: MLTensorLimits`).join('; ')} };\n`)
                   .join('');

const text = `// Written by tools/generate/node_types.mjs: run \`make generate\`.

export type MLOperandDataType = ${quoted(native.dataTypes())};
export type MLNumber = number | bigint;
export type AllowSharedBufferSource = ArrayBuffer | SharedArrayBuffer | ArrayBufferView;
export type MLNamedTensors = Record<string, MLTensor>;
export type MLNamedOperands = Record<string, MLOperand>;
export interface MLOperandDescriptor {
  dataType: MLOperandDataType;
  shape: Iterable<number>;
}
export interface MLTensorDescriptor extends MLOperandDescriptor {
  readable?: boolean;
  writable?: boolean;
}
export interface MLContextOptions {
  powerPreference?: 'default' | 'high-performance' | 'low-power';
  accelerated?: boolean;
  /** From earlier versions of the specification. */
  deviceType?: 'cpu' | 'gpu' | 'npu';
  /** Outside the specification: one of Ember's backends; native unless it is given. */
  engine?: string;
  /** Outside the specification: one of the engine's devices; its first unless it is given. */
  device?: string;
}
export interface MLContextLostInfo {
  message: string;
}
export interface MLOperatorOptions {
  label?: string;
}
${[...dictionaries.values()].join('')}
export interface MLTensorLimits {
  dataTypes: MLOperandDataType[];
  rankRange: { min: number; max: number };
}
export interface MLOpSupportLimits {
  preferredInputLayout: 'nchw' | 'nhwc';
  maxTensorByteLength: number;
  input: MLTensorLimits;
  constant: MLTensorLimits;
  output: MLTensorLimits;
${limits}}

export declare class MLOperand {
  private constructor();
  readonly dataType: MLOperandDataType;
  readonly shape: readonly number[];
}
export declare class MLTensor {
  private constructor();
  readonly dataType: MLOperandDataType;
  readonly shape: readonly number[];
  readonly readable: boolean;
  readonly writable: boolean;
  readonly constant: boolean;
  destroy(): void;
}
export declare class MLGraph {
  private constructor();
  /** Outside the specification: where the graph runs. */
  readonly devices: string[];
  destroy(): void;
}
export declare class MLContext {
  private constructor();
  readonly accelerated: boolean;
  readonly lost: Promise<MLContextLostInfo>;
  dispatch(graph: MLGraph, inputs: MLNamedTensors, outputs: MLNamedTensors): void;
  createTensor(descriptor: MLTensorDescriptor): Promise<MLTensor>;
  createConstantTensor(descriptor: MLOperandDescriptor, inputData: AllowSharedBufferSource): Promise<MLTensor>;
  readTensor(tensor: MLTensor): Promise<ArrayBuffer>;
  readTensor(tensor: MLTensor, outputData: AllowSharedBufferSource): Promise<undefined>;
  writeTensor(tensor: MLTensor, inputData: AllowSharedBufferSource): void;
  opSupportLimits(): MLOpSupportLimits;
  destroy(): void;
}
export declare class MLGraphBuilder {
  constructor(context: MLContext);
  input(name: string, descriptor: MLOperandDescriptor): MLOperand;
  constant(descriptor: MLOperandDescriptor, buffer: AllowSharedBufferSource): MLOperand;
  constant(dataType: MLOperandDataType, value: MLNumber): MLOperand;
  constant(tensor: MLTensor): MLOperand;
  build(outputs: MLNamedOperands): Promise<MLGraph>;
${methods}}
export declare class ML {
  private constructor();
  createContext(options?: MLContextOptions): Promise<MLContext>;
}

export declare const ml: ML;
/** Gives a global object what a browser's has: the interfaces, and navigator.ml. */
export declare function install(target?: object): void;

/** A tensor of a file. data is a typed array of its type; 4-bit integers are packed, the first in the low half of a byte. */
export interface FileTensor {
  dataType: string;
  shape: number[];
  data: ArrayBufferView<ArrayBuffer>;
}
/** The tensors of a .safetensors, .npz or .npy file, by name; that of a .npy file is called tensor. */
export declare function load(path: string): Promise<Record<string, FileTensor>>;
`;
process.stdout.write(text);
