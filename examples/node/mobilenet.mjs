// Classifies a photo with MobileNetV2 through WebNN.
//   node mobilenet.mjs [folder of weights] [engine]
import {load, ml, MLGraphBuilder} from 'ember-ml';
import fs from 'node:fs';

const [given, engine = 'native'] = process.argv.slice(2);
const folder = given ?? `${process.env.EMBER_MODELS ?? 'build/models'}/mobilenetv2`;
if (!fs.existsSync(`${folder}/conv_0_weight.npy`)) {
  console.log('no weights of MobileNetV2 found: `make models` fetches them');
  process.exit();
}
const array = async name => (await load(`${folder}/${name}.npy`)).tensor;

const context = await ml.createContext({engine});
const builder = new MLGraphBuilder(context);
const constant = async name => {
  const {dataType, shape, data} = await array(name);
  return builder.constant({dataType, shape}, data);
};

// File names contain the number of the node in the graph, where a clamp and an addition count as
// well. Batch normalization is folded into the weights.
let node = 0;
async function conv(x, stride, clamped) {
  const name = `conv_${node}`;
  node += clamped ? 2 : 1;
  const filter = await constant(`${name}_weight`), bias = await constant(`${name}_bias`);
  const [channels, perGroup, size] = filter.shape;
  const pad = size >> 1;
  const groups = perGroup === 1 ? channels : 1;  // depthwise: one filter per channel
  const y = builder.conv2d(
      x, filter, {bias, groups, strides: [stride, stride], padding: [pad, pad, pad, pad]});
  return clamped ? builder.clamp(y, {minValue: 0, maxValue: 6}) : y;
}

const image = builder.input('image', {dataType: 'float32', shape: [1, 3, 224, 224]});
let x = await conv(image, 2, true);
const stages = [
  [1, 16, 1, 1], [6, 24, 2, 2], [6, 32, 3, 2], [6, 64, 4, 2], [6, 96, 3, 1], [6, 160, 3, 2],
  [6, 320, 1, 1]
];
for (const [expansion, channels, count, first] of stages)
  for (let i = 0; i < count; ++i) {
    const stride = i === 0 ? first : 1;
    const wide = expansion > 1 ? await conv(x, 1, true) : x;
    const y = await conv(await conv(wide, stride, true), 1, false);
    const residual = stride === 1 && x.shape[1] === channels;
    node += residual;
    x = residual ? builder.add(x, y) : y;
  }
const pooled = builder.reshape(builder.averagePool2d(await conv(x, 1, true)), [1, 1280]);
const logits = builder.gemm(
    pooled, await constant('gemm_104_weight'),
    {c: await constant('gemm_104_bias'), bTranspose: true});
const graph = await builder.build({chances: builder.softmax(logits, 1)});

const photo = await context.createTensor({dataType: 'float32', shape: image.shape, writable: true});
const chances = await context.createTensor({dataType: 'float32', shape: [1, 1000], readable: true});
context.writeTensor(photo, (await array('photo_input')).data);
const answer = new Float32Array(1000);
let best = Infinity;
for (let i = 0; i < 10; ++i) {
  const start = performance.now();
  context.dispatch(graph, {image: photo}, {chances});
  await context.readTensor(chances, answer);
  best = Math.min(best, performance.now() - start);
}

const labels = fs.readFileSync(`${folder}/imagenet_classes.txt`, 'utf8').split('\n');
const top = [...answer.keys()].sort((a, b) => answer[b] - answer[a]).slice(0, 5);
for (const i of top) console.log(`${(100 * answer[i]).toFixed(3).padStart(8)} %  ${labels[i]}`);
console.log(`${best.toFixed(1)} ms for an image on ${engine}`);
