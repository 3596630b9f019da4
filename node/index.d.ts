// Written by tools/generate/node_types.mjs: run `make generate`.

export type MLOperandDataType = 'float32' | 'float16' | 'int32' | 'uint32' | 'int64' | 'uint64' | 'int8' | 'uint8' | 'int4' | 'uint4';
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
export interface MLArgMinMaxOptions extends MLOperatorOptions {
  keepDimensions?: boolean;
  outputDataType?: MLOperandDataType;
}
export interface MLPool2dOptions extends MLOperatorOptions {
  windowDimensions?: Iterable<number>;
  padding?: Iterable<number>;
  strides?: Iterable<number>;
  dilations?: Iterable<number>;
  layout?: 'nchw' | 'nhwc';
  outputShapeRounding?: 'floor' | 'ceil';
  outputSizes?: Iterable<number>;
}
export interface MLBatchNormalizationOptions extends MLOperatorOptions {
  scale?: MLOperand;
  bias?: MLOperand;
  axis?: number;
  epsilon?: number;
}
export interface MLClampOptions extends MLOperatorOptions {
  minValue?: MLNumber;
  maxValue?: MLNumber;
}
export interface MLConv2dOptions extends MLOperatorOptions {
  padding?: Iterable<number>;
  strides?: Iterable<number>;
  dilations?: Iterable<number>;
  groups?: number;
  inputLayout?: 'nchw' | 'nhwc';
  filterLayout?: 'oihw' | 'hwio' | 'ohwi' | 'ihwo';
  bias?: MLOperand;
}
export interface MLConvTranspose2dOptions extends MLOperatorOptions {
  padding?: Iterable<number>;
  strides?: Iterable<number>;
  dilations?: Iterable<number>;
  outputPadding?: Iterable<number>;
  outputSizes?: Iterable<number>;
  groups?: number;
  inputLayout?: 'nchw' | 'nhwc';
  filterLayout?: 'iohw' | 'hwoi' | 'ohwi';
  bias?: MLOperand;
}
export interface MLCumulativeSumOptions extends MLOperatorOptions {
  exclusive?: boolean;
  reversed?: boolean;
}
export interface MLEluOptions extends MLOperatorOptions {
  alpha?: number;
}
export interface MLGatherOptions extends MLOperatorOptions {
  axis?: number;
}
export interface MLGemmOptions extends MLOperatorOptions {
  c?: MLOperand;
  alpha?: number;
  beta?: number;
  aTranspose?: boolean;
  bTranspose?: boolean;
}
export interface MLGruOptions extends MLOperatorOptions {
  bias?: MLOperand;
  recurrentBias?: MLOperand;
  initialHiddenState?: MLOperand;
  returnSequence?: boolean;
  direction?: 'forward' | 'backward' | 'both';
  resetAfter?: boolean;
  layout?: 'zrn' | 'rzn';
  activations?: Iterable<'relu' | 'sigmoid' | 'tanh'>;
}
export interface MLGruCellOptions extends MLOperatorOptions {
  bias?: MLOperand;
  recurrentBias?: MLOperand;
  resetAfter?: boolean;
  layout?: 'zrn' | 'rzn';
  activations?: Iterable<'relu' | 'sigmoid' | 'tanh'>;
}
export interface MLHardSigmoidOptions extends MLOperatorOptions {
  alpha?: number;
  beta?: number;
}
export interface MLInstanceNormalizationOptions extends MLOperatorOptions {
  scale?: MLOperand;
  bias?: MLOperand;
  epsilon?: number;
  layout?: 'nchw' | 'nhwc';
}
export interface MLLayerNormalizationOptions extends MLOperatorOptions {
  scale?: MLOperand;
  bias?: MLOperand;
  axes?: Iterable<number>;
  epsilon?: number;
}
export interface MLLeakyReluOptions extends MLOperatorOptions {
  alpha?: number;
}
export interface MLLinearOptions extends MLOperatorOptions {
  alpha?: number;
  beta?: number;
}
export interface MLLstmOptions extends MLOperatorOptions {
  bias?: MLOperand;
  recurrentBias?: MLOperand;
  peepholeWeight?: MLOperand;
  initialHiddenState?: MLOperand;
  returnSequence?: boolean;
  direction?: 'forward' | 'backward' | 'both';
  initialCellState?: MLOperand;
  layout?: 'iofg' | 'ifgo';
  activations?: Iterable<'relu' | 'sigmoid' | 'tanh'>;
}
export interface MLLstmCellOptions extends MLOperatorOptions {
  bias?: MLOperand;
  recurrentBias?: MLOperand;
  peepholeWeight?: MLOperand;
  layout?: 'iofg' | 'ifgo';
  activations?: Iterable<'relu' | 'sigmoid' | 'tanh'>;
}
export interface MLPadOptions extends MLOperatorOptions {
  mode?: 'constant' | 'edge' | 'reflection';
  value?: MLNumber;
}
export interface MLReduceOptions extends MLOperatorOptions {
  axes?: Iterable<number>;
  keepDimensions?: boolean;
}
export interface MLResample2dOptions extends MLOperatorOptions {
  mode?: 'nearest-neighbor' | 'linear';
  scales?: Iterable<number>;
  sizes?: Iterable<number>;
  axes?: Iterable<number>;
}
export interface MLReverseOptions extends MLOperatorOptions {
  axes?: Iterable<number>;
}
export interface MLScatterOptions extends MLOperatorOptions {
  axis?: number;
}
export interface MLSliceOptions extends MLOperatorOptions {
  strides?: Iterable<number>;
}
export interface MLSplitOptions extends MLOperatorOptions {
  axis?: number;
}
export interface MLTransposeOptions extends MLOperatorOptions {
  permutation?: Iterable<number>;
}
export interface MLTriangularOptions extends MLOperatorOptions {
  upper?: boolean;
  diagonal?: number;
}

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
  abs: { input: MLTensorLimits; output: MLTensorLimits };
  add: { a: MLTensorLimits; b: MLTensorLimits; output: MLTensorLimits };
  argMax: { input: MLTensorLimits; output: MLTensorLimits };
  argMin: { input: MLTensorLimits; output: MLTensorLimits };
  averagePool2d: { input: MLTensorLimits; output: MLTensorLimits };
  batchNormalization: { input: MLTensorLimits; mean: MLTensorLimits; variance: MLTensorLimits; scale: MLTensorLimits; bias: MLTensorLimits; output: MLTensorLimits };
  cast: { input: MLTensorLimits; output: MLTensorLimits };
  ceil: { input: MLTensorLimits; output: MLTensorLimits };
  clamp: { input: MLTensorLimits; output: MLTensorLimits };
  concat: { inputs: MLTensorLimits; output: MLTensorLimits };
  conv2d: { input: MLTensorLimits; filter: MLTensorLimits; bias: MLTensorLimits; output: MLTensorLimits };
  convTranspose2d: { input: MLTensorLimits; filter: MLTensorLimits; bias: MLTensorLimits; output: MLTensorLimits };
  cos: { input: MLTensorLimits; output: MLTensorLimits };
  cumulativeSum: { input: MLTensorLimits; output: MLTensorLimits };
  dequantizeLinear: { input: MLTensorLimits; scale: MLTensorLimits; zeroPoint: MLTensorLimits; output: MLTensorLimits };
  div: { a: MLTensorLimits; b: MLTensorLimits; output: MLTensorLimits };
  elu: { input: MLTensorLimits; output: MLTensorLimits };
  equal: { a: MLTensorLimits; b: MLTensorLimits; output: MLTensorLimits };
  erf: { input: MLTensorLimits; output: MLTensorLimits };
  exp: { input: MLTensorLimits; output: MLTensorLimits };
  expand: { input: MLTensorLimits; output: MLTensorLimits };
  floor: { input: MLTensorLimits; output: MLTensorLimits };
  gather: { input: MLTensorLimits; indices: MLTensorLimits; output: MLTensorLimits };
  gatherElements: { input: MLTensorLimits; indices: MLTensorLimits; output: MLTensorLimits };
  gatherND: { input: MLTensorLimits; indices: MLTensorLimits; output: MLTensorLimits };
  gelu: { input: MLTensorLimits; output: MLTensorLimits };
  gemm: { a: MLTensorLimits; b: MLTensorLimits; c: MLTensorLimits; output: MLTensorLimits };
  greater: { a: MLTensorLimits; b: MLTensorLimits; output: MLTensorLimits };
  greaterOrEqual: { a: MLTensorLimits; b: MLTensorLimits; output: MLTensorLimits };
  gru: { input: MLTensorLimits; weight: MLTensorLimits; recurrentWeight: MLTensorLimits; bias: MLTensorLimits; recurrentBias: MLTensorLimits; initialHiddenState: MLTensorLimits; output0: MLTensorLimits; output1: MLTensorLimits };
  gruCell: { input: MLTensorLimits; weight: MLTensorLimits; recurrentWeight: MLTensorLimits; hiddenState: MLTensorLimits; bias: MLTensorLimits; recurrentBias: MLTensorLimits; output: MLTensorLimits };
  hardSigmoid: { input: MLTensorLimits; output: MLTensorLimits };
  hardSwish: { input: MLTensorLimits; output: MLTensorLimits };
  identity: { input: MLTensorLimits; output: MLTensorLimits };
  instanceNormalization: { input: MLTensorLimits; scale: MLTensorLimits; bias: MLTensorLimits; output: MLTensorLimits };
  isInfinite: { a: MLTensorLimits; output: MLTensorLimits };
  isNaN: { a: MLTensorLimits; output: MLTensorLimits };
  l2Pool2d: { input: MLTensorLimits; output: MLTensorLimits };
  layerNormalization: { input: MLTensorLimits; scale: MLTensorLimits; bias: MLTensorLimits; output: MLTensorLimits };
  leakyRelu: { input: MLTensorLimits; output: MLTensorLimits };
  lesser: { a: MLTensorLimits; b: MLTensorLimits; output: MLTensorLimits };
  lesserOrEqual: { a: MLTensorLimits; b: MLTensorLimits; output: MLTensorLimits };
  linear: { input: MLTensorLimits; output: MLTensorLimits };
  log: { input: MLTensorLimits; output: MLTensorLimits };
  logicalAnd: { a: MLTensorLimits; b: MLTensorLimits; output: MLTensorLimits };
  logicalNot: { a: MLTensorLimits; output: MLTensorLimits };
  logicalOr: { a: MLTensorLimits; b: MLTensorLimits; output: MLTensorLimits };
  logicalXor: { a: MLTensorLimits; b: MLTensorLimits; output: MLTensorLimits };
  lstm: { input: MLTensorLimits; weight: MLTensorLimits; recurrentWeight: MLTensorLimits; bias: MLTensorLimits; recurrentBias: MLTensorLimits; peepholeWeight: MLTensorLimits; initialHiddenState: MLTensorLimits; initialCellState: MLTensorLimits; output0: MLTensorLimits; output1: MLTensorLimits; output2: MLTensorLimits };
  lstmCell: { input: MLTensorLimits; weight: MLTensorLimits; recurrentWeight: MLTensorLimits; hiddenState: MLTensorLimits; cellState: MLTensorLimits; bias: MLTensorLimits; recurrentBias: MLTensorLimits; peepholeWeight: MLTensorLimits; output0: MLTensorLimits; output1: MLTensorLimits };
  matmul: { a: MLTensorLimits; b: MLTensorLimits; output: MLTensorLimits };
  max: { a: MLTensorLimits; b: MLTensorLimits; output: MLTensorLimits };
  maxPool2d: { input: MLTensorLimits; output: MLTensorLimits };
  min: { a: MLTensorLimits; b: MLTensorLimits; output: MLTensorLimits };
  mul: { a: MLTensorLimits; b: MLTensorLimits; output: MLTensorLimits };
  neg: { input: MLTensorLimits; output: MLTensorLimits };
  notEqual: { a: MLTensorLimits; b: MLTensorLimits; output: MLTensorLimits };
  pad: { input: MLTensorLimits; output: MLTensorLimits };
  pow: { a: MLTensorLimits; b: MLTensorLimits; output: MLTensorLimits };
  prelu: { input: MLTensorLimits; slope: MLTensorLimits; output: MLTensorLimits };
  quantizeLinear: { input: MLTensorLimits; scale: MLTensorLimits; zeroPoint: MLTensorLimits; output: MLTensorLimits };
  reciprocal: { input: MLTensorLimits; output: MLTensorLimits };
  reduceL1: { input: MLTensorLimits; output: MLTensorLimits };
  reduceL2: { input: MLTensorLimits; output: MLTensorLimits };
  reduceLogSum: { input: MLTensorLimits; output: MLTensorLimits };
  reduceLogSumExp: { input: MLTensorLimits; output: MLTensorLimits };
  reduceMax: { input: MLTensorLimits; output: MLTensorLimits };
  reduceMean: { input: MLTensorLimits; output: MLTensorLimits };
  reduceMin: { input: MLTensorLimits; output: MLTensorLimits };
  reduceProduct: { input: MLTensorLimits; output: MLTensorLimits };
  reduceSum: { input: MLTensorLimits; output: MLTensorLimits };
  reduceSumSquare: { input: MLTensorLimits; output: MLTensorLimits };
  relu: { input: MLTensorLimits; output: MLTensorLimits };
  resample2d: { input: MLTensorLimits; output: MLTensorLimits };
  reshape: { input: MLTensorLimits; output: MLTensorLimits };
  reverse: { input: MLTensorLimits; output: MLTensorLimits };
  roundEven: { input: MLTensorLimits; output: MLTensorLimits };
  scatterElements: { input: MLTensorLimits; indices: MLTensorLimits; updates: MLTensorLimits; output: MLTensorLimits };
  scatterND: { input: MLTensorLimits; indices: MLTensorLimits; updates: MLTensorLimits; output: MLTensorLimits };
  sigmoid: { input: MLTensorLimits; output: MLTensorLimits };
  sign: { input: MLTensorLimits; output: MLTensorLimits };
  sin: { input: MLTensorLimits; output: MLTensorLimits };
  slice: { input: MLTensorLimits; output: MLTensorLimits };
  softmax: { input: MLTensorLimits; output: MLTensorLimits };
  softplus: { input: MLTensorLimits; output: MLTensorLimits };
  softsign: { input: MLTensorLimits; output: MLTensorLimits };
  split: { input: MLTensorLimits; outputs: MLTensorLimits };
  sqrt: { input: MLTensorLimits; output: MLTensorLimits };
  sub: { a: MLTensorLimits; b: MLTensorLimits; output: MLTensorLimits };
  tan: { input: MLTensorLimits; output: MLTensorLimits };
  tanh: { input: MLTensorLimits; output: MLTensorLimits };
  tile: { input: MLTensorLimits; output: MLTensorLimits };
  transpose: { input: MLTensorLimits; output: MLTensorLimits };
  triangular: { input: MLTensorLimits; output: MLTensorLimits };
  where: { condition: MLTensorLimits; trueValue: MLTensorLimits; falseValue: MLTensorLimits; output: MLTensorLimits };
}

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
  abs(input: MLOperand, options?: MLOperatorOptions): MLOperand;
  add(a: MLOperand, b: MLOperand, options?: MLOperatorOptions): MLOperand;
  argMax(input: MLOperand, axis: number, options?: MLArgMinMaxOptions): MLOperand;
  argMin(input: MLOperand, axis: number, options?: MLArgMinMaxOptions): MLOperand;
  averagePool2d(input: MLOperand, options?: MLPool2dOptions): MLOperand;
  batchNormalization(input: MLOperand, mean: MLOperand, variance: MLOperand, options?: MLBatchNormalizationOptions): MLOperand;
  cast(input: MLOperand, dataType: MLOperandDataType, options?: MLOperatorOptions): MLOperand;
  ceil(input: MLOperand, options?: MLOperatorOptions): MLOperand;
  clamp(input: MLOperand, options?: MLClampOptions): MLOperand;
  concat(inputs: Iterable<MLOperand>, axis: number, options?: MLOperatorOptions): MLOperand;
  conv2d(input: MLOperand, filter: MLOperand, options?: MLConv2dOptions): MLOperand;
  convTranspose2d(input: MLOperand, filter: MLOperand, options?: MLConvTranspose2dOptions): MLOperand;
  cos(input: MLOperand, options?: MLOperatorOptions): MLOperand;
  cumulativeSum(input: MLOperand, axis: number, options?: MLCumulativeSumOptions): MLOperand;
  dequantizeLinear(input: MLOperand, scale: MLOperand, zeroPoint: MLOperand, options?: MLOperatorOptions): MLOperand;
  div(a: MLOperand, b: MLOperand, options?: MLOperatorOptions): MLOperand;
  elu(input: MLOperand, options?: MLEluOptions): MLOperand;
  equal(a: MLOperand, b: MLOperand, options?: MLOperatorOptions): MLOperand;
  erf(input: MLOperand, options?: MLOperatorOptions): MLOperand;
  exp(input: MLOperand, options?: MLOperatorOptions): MLOperand;
  expand(input: MLOperand, newShape: Iterable<number>, options?: MLOperatorOptions): MLOperand;
  floor(input: MLOperand, options?: MLOperatorOptions): MLOperand;
  gather(input: MLOperand, indices: MLOperand, options?: MLGatherOptions): MLOperand;
  gatherElements(input: MLOperand, indices: MLOperand, options?: MLGatherOptions): MLOperand;
  gatherND(input: MLOperand, indices: MLOperand, options?: MLOperatorOptions): MLOperand;
  gelu(input: MLOperand, options?: MLOperatorOptions): MLOperand;
  gemm(a: MLOperand, b: MLOperand, options?: MLGemmOptions): MLOperand;
  greater(a: MLOperand, b: MLOperand, options?: MLOperatorOptions): MLOperand;
  greaterOrEqual(a: MLOperand, b: MLOperand, options?: MLOperatorOptions): MLOperand;
  gru(input: MLOperand, weight: MLOperand, recurrentWeight: MLOperand, steps: number, hiddenSize: number, options?: MLGruOptions): MLOperand[];
  gruCell(input: MLOperand, weight: MLOperand, recurrentWeight: MLOperand, hiddenState: MLOperand, hiddenSize: number, options?: MLGruCellOptions): MLOperand;
  hardSigmoid(input: MLOperand, options?: MLHardSigmoidOptions): MLOperand;
  hardSwish(input: MLOperand, options?: MLOperatorOptions): MLOperand;
  identity(input: MLOperand, options?: MLOperatorOptions): MLOperand;
  instanceNormalization(input: MLOperand, options?: MLInstanceNormalizationOptions): MLOperand;
  isInfinite(a: MLOperand, options?: MLOperatorOptions): MLOperand;
  isNaN(a: MLOperand, options?: MLOperatorOptions): MLOperand;
  l2Pool2d(input: MLOperand, options?: MLPool2dOptions): MLOperand;
  layerNormalization(input: MLOperand, options?: MLLayerNormalizationOptions): MLOperand;
  leakyRelu(input: MLOperand, options?: MLLeakyReluOptions): MLOperand;
  lesser(a: MLOperand, b: MLOperand, options?: MLOperatorOptions): MLOperand;
  lesserOrEqual(a: MLOperand, b: MLOperand, options?: MLOperatorOptions): MLOperand;
  linear(input: MLOperand, options?: MLLinearOptions): MLOperand;
  log(input: MLOperand, options?: MLOperatorOptions): MLOperand;
  logicalAnd(a: MLOperand, b: MLOperand, options?: MLOperatorOptions): MLOperand;
  logicalNot(a: MLOperand, options?: MLOperatorOptions): MLOperand;
  logicalOr(a: MLOperand, b: MLOperand, options?: MLOperatorOptions): MLOperand;
  logicalXor(a: MLOperand, b: MLOperand, options?: MLOperatorOptions): MLOperand;
  lstm(input: MLOperand, weight: MLOperand, recurrentWeight: MLOperand, steps: number, hiddenSize: number, options?: MLLstmOptions): MLOperand[];
  lstmCell(input: MLOperand, weight: MLOperand, recurrentWeight: MLOperand, hiddenState: MLOperand, cellState: MLOperand, hiddenSize: number, options?: MLLstmCellOptions): MLOperand[];
  matmul(a: MLOperand, b: MLOperand, options?: MLOperatorOptions): MLOperand;
  max(a: MLOperand, b: MLOperand, options?: MLOperatorOptions): MLOperand;
  maxPool2d(input: MLOperand, options?: MLPool2dOptions): MLOperand;
  min(a: MLOperand, b: MLOperand, options?: MLOperatorOptions): MLOperand;
  mul(a: MLOperand, b: MLOperand, options?: MLOperatorOptions): MLOperand;
  neg(input: MLOperand, options?: MLOperatorOptions): MLOperand;
  notEqual(a: MLOperand, b: MLOperand, options?: MLOperatorOptions): MLOperand;
  pad(input: MLOperand, beginningPadding: Iterable<number>, endingPadding: Iterable<number>, options?: MLPadOptions): MLOperand;
  pow(a: MLOperand, b: MLOperand, options?: MLOperatorOptions): MLOperand;
  prelu(input: MLOperand, slope: MLOperand, options?: MLOperatorOptions): MLOperand;
  quantizeLinear(input: MLOperand, scale: MLOperand, zeroPoint: MLOperand, options?: MLOperatorOptions): MLOperand;
  reciprocal(input: MLOperand, options?: MLOperatorOptions): MLOperand;
  reduceL1(input: MLOperand, options?: MLReduceOptions): MLOperand;
  reduceL2(input: MLOperand, options?: MLReduceOptions): MLOperand;
  reduceLogSum(input: MLOperand, options?: MLReduceOptions): MLOperand;
  reduceLogSumExp(input: MLOperand, options?: MLReduceOptions): MLOperand;
  reduceMax(input: MLOperand, options?: MLReduceOptions): MLOperand;
  reduceMean(input: MLOperand, options?: MLReduceOptions): MLOperand;
  reduceMin(input: MLOperand, options?: MLReduceOptions): MLOperand;
  reduceProduct(input: MLOperand, options?: MLReduceOptions): MLOperand;
  reduceSum(input: MLOperand, options?: MLReduceOptions): MLOperand;
  reduceSumSquare(input: MLOperand, options?: MLReduceOptions): MLOperand;
  relu(input: MLOperand, options?: MLOperatorOptions): MLOperand;
  resample2d(input: MLOperand, options?: MLResample2dOptions): MLOperand;
  reshape(input: MLOperand, newShape: Iterable<number>, options?: MLOperatorOptions): MLOperand;
  reverse(input: MLOperand, options?: MLReverseOptions): MLOperand;
  roundEven(input: MLOperand, options?: MLOperatorOptions): MLOperand;
  scatterElements(input: MLOperand, indices: MLOperand, updates: MLOperand, options?: MLScatterOptions): MLOperand;
  scatterND(input: MLOperand, indices: MLOperand, updates: MLOperand, options?: MLOperatorOptions): MLOperand;
  sigmoid(input: MLOperand, options?: MLOperatorOptions): MLOperand;
  sign(input: MLOperand, options?: MLOperatorOptions): MLOperand;
  sin(input: MLOperand, options?: MLOperatorOptions): MLOperand;
  slice(input: MLOperand, starts: Iterable<number>, sizes: Iterable<number>, options?: MLSliceOptions): MLOperand;
  softmax(input: MLOperand, axis: number, options?: MLOperatorOptions): MLOperand;
  softplus(input: MLOperand, options?: MLOperatorOptions): MLOperand;
  softsign(input: MLOperand, options?: MLOperatorOptions): MLOperand;
  split(input: MLOperand, splits: number | Iterable<number>, options?: MLSplitOptions): MLOperand[];
  sqrt(input: MLOperand, options?: MLOperatorOptions): MLOperand;
  sub(a: MLOperand, b: MLOperand, options?: MLOperatorOptions): MLOperand;
  tan(input: MLOperand, options?: MLOperatorOptions): MLOperand;
  tanh(input: MLOperand, options?: MLOperatorOptions): MLOperand;
  tile(input: MLOperand, repetitions: Iterable<number>, options?: MLOperatorOptions): MLOperand;
  transpose(input: MLOperand, options?: MLTransposeOptions): MLOperand;
  triangular(input: MLOperand, options?: MLTriangularOptions): MLOperand;
  where(condition: MLOperand, trueValue: MLOperand, falseValue: MLOperand, options?: MLOperatorOptions): MLOperand;
}
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
