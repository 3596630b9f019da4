import ember from './index.js';
export const {ML, MLContext, MLGraph, MLGraphBuilder, MLOperand, MLTensor, ml, install, load} =
    ember;
export default ember;
