// What `npm install` runs: builds the addon with CMake, unless the checkout has been built. Nothing is downloaded here; Node-API's headers are a
// dependency in npm's sense, or lie beside the node that runs.
'use strict';
const fs = require('node:fs'), os = require('node:os'), path = require('node:path'), { spawnSync } = require('node:child_process');

const root = path.dirname(__dirname), build = path.join(root, 'build', 'npm');
if (fs.existsSync(path.join(root, 'build', 'node', 'ember.node'))) process.exit(0);

let headers = path.join(path.dirname(process.execPath), '..', 'include', 'node');
try {
  headers = path.join(path.dirname(require.resolve('node-api-headers/package.json')), 'include');
} catch {}
if (!fs.existsSync(path.join(headers, 'node_api.h'))) {
  console.error("ember-ml: Node-API's headers are not there: npm install node-api-headers, or tools/setup in a checkout");
  process.exit(1);
}
const run = (...args) => {
  const { status, error } = spawnSync('cmake', args, { stdio: 'inherit' });
  if (status === 0) return;
  console.error(error ? `ember-ml: cmake: ${error.message}` : 'ember-ml: the build failed');
  console.error('ember-ml: it takes CMake 3.25, a C++20 compiler, and the Debian packages libhwy-dev zlib1g-dev nlohmann-json3-dev');
  process.exit(1);
};
const off = ['CLI', 'PYTHON', 'EXAMPLES', 'TESTS'].map(part => `-DEMBER_BUILD_${part}=OFF`);
run('-S', root, '-B', build, '-DCMAKE_BUILD_TYPE=Release', '-DEMBER_ENGINES=native', `-DEMBER_NODE_HEADERS=${headers}`, ...off);
run('--build', build, '--target', 'ember_node', 'ember_native', '--parallel', String(os.availableParallelism()));
for (const part of ['CMakeFiles', 'engines']) fs.rmSync(path.join(build, part), { recursive: true, force: true });  // objects: ten times what is used
