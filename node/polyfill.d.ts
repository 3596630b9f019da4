import * as ember from './index.js';

declare global {
  interface Navigator {
    readonly ml: ember.ML;
  }
  var navigator: Navigator;
  var ML: typeof ember.ML;
  var MLContext: typeof ember.MLContext;
  var MLGraph: typeof ember.MLGraph;
  var MLGraphBuilder: typeof ember.MLGraphBuilder;
  var MLOperand: typeof ember.MLOperand;
  var MLTensor: typeof ember.MLTensor;
}
