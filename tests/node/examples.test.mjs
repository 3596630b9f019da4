// The examples run and print the output in docs/node.md.
import assert from 'node:assert/strict';
import {spawnSync} from 'node:child_process';
import fs from 'node:fs';
import {test} from 'node:test';
import {fileURLToPath} from 'node:url';

const root = fileURLToPath(new URL('../..', import.meta.url));
const run = (...args) => {
  const {status, stdout, stderr} = spawnSync(process.execPath, args, {cwd: root, encoding: 'utf8'});
  assert.deepEqual([status, stderr], [0, '']);
  return stdout;
};

test('the specification\'s first example', () => {
  const output = run('examples/node/first.mjs');
  assert.match(output, /^Output value: Float32Array\(8\) \[(\s*2\.25,?){8}\s*\]\n$/);
  const program = fs.readFileSync(`${root}examples/node/first.mjs`, 'utf8'),
        page = fs.readFileSync(`${root}docs/node.md`, 'utf8');
  assert.ok(page.includes(program.slice(program.indexOf('import'))) && page.includes(output));
});

test('the polyfill, from both kinds of modules', () => {
  const code =
      'navigator.ml.createContext().then(c => console.log(c instanceof MLContext, new MLGraphBuilder(c) instanceof MLGraphBuilder))';
  assert.equal(run('-e', `require('ember-ml/polyfill'); ${code}`), 'true true\n');
  const imports =
      'import \'ember-ml/polyfill\'; import { ml } from \'ember-ml\'; if (ml !== navigator.ml) throw 0;';
  assert.equal(run('--input-type=module', '-e', imports + code), 'true true\n');
});

const folder = `${process.env.EMBER_MODELS ?? `${root}build/models`}/mobilenetv2`;
const absent = fs.existsSync(folder) || process.env.EMBER_TEST_REQUIRE ?
    false :
    'its weights are absent: make models';
test(
    'MobileNetV2 knows the lesser panda', {skip: absent},
    () => assert.match(
        run('examples/node/mobilenet.mjs', folder), /^ {2}99\.59\d %  lesser panda\n/));

test(
    'a decoder with its cache on the device says what one with copies says',
    () => run('examples/node/kv_cache.mjs', '4'));
