// The time of one dispatch that adds 4 floats, in nanoseconds: the lower quartile over rounds.
//   node webnn_dispatch.cjs FOLDER_OF_THE_PACKAGE
const {ml, MLGraphBuilder} = require(process.argv[2]);

async function main() {
  const context = await ml.createContext();
  const builder = new MLGraphBuilder(context);
  const type = {dataType: 'float32', shape: [4]};
  const graph =
      await builder.build({z: builder.add(builder.input('x', type), builder.input('y', type))});
  const tensor = () => context.createTensor({...type, readable: true, writable: true});
  const inputs = {x: await tensor(), y: await tensor()};
  const outputs = {z: await tensor()};
  async function timed(n) {
    const start = process.hrtime.bigint();
    for (let i = 0; i < n; ++i) context.dispatch(graph, inputs, outputs);
    await context.readTensor(outputs.z);
    return Number(process.hrtime.bigint() - start) / n;
  }
  await timed(1000);
  const times = [];
  for (let i = 0; i < 21; ++i) times.push(await timed(5000));
  console.log('dispatch', times.sort((a, b) => a - b)[5]);
}
main();
