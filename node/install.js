// Run by `npm install`: builds the addon with CMake, unless the checkout has been built. oneDNN and
// OpenBLAS come from their Python wheels by pip, else from the system; Node-API's headers are an
// npm dependency, or next to the running node.
'use strict';
const fs = require('node:fs');
const os = require('node:os');
const path = require('node:path');
const {spawnSync} = require('node:child_process');

const root = path.dirname(__dirname);
const build = path.join(root, 'build', 'npm');
const wheels = path.join(build, 'wheels');
if (fs.existsSync(path.join(root, 'build', 'node', 'ember.node'))) process.exit(0);

let headers = path.join(path.dirname(process.execPath), '..', 'include', 'node');
try {
  headers = path.join(path.dirname(require.resolve('node-api-headers/package.json')), 'include');
} catch {}
if (!fs.existsSync(path.join(headers, 'node_api.h'))) {
  console.error(
      'ember-ml: Node-API\'s headers are not there: npm install node-api-headers, or tools/setup in a checkout');
  process.exit(1);
}
const fail = error => {
  console.error(error ? `ember-ml: cmake: ${error.message}` : 'ember-ml: the build failed');
  console.error(
      'ember-ml: it takes CMake 3.25, a C++20 compiler, and the Debian packages ' +
      'libhwy-dev libxbyak-dev zlib1g-dev nlohmann-json3-dev');
  process.exit(1);
};
const run = (...args) => {
  const {status, error} = spawnSync('cmake', args, {stdio: 'inherit'});
  if (status !== 0) fail(error);
};

// The wheels of oneDNN and OpenBLAS that pyproject.toml names for this machine.
// EMBER_SYSTEM_LIBRARIES=1 selects the system's libraries.
function fetchWheels() {
  if (process.env.EMBER_SYSTEM_LIBRARIES) return;
  const project = fs.readFileSync(path.join(root, 'pyproject.toml'), 'utf8');
  const wanted =
      [...project.matchAll(/"((?:scipy-openblas32|onednn-[a-z-]+)==[^"]*)"/g)].map(m => m[1]);
  const pip = [
    '-m', 'pip', 'install', '--quiet', '--disable-pip-version-check', '--no-deps',
    '--ignore-installed', '--only-binary=:all:'
  ];
  const {status} =
      spawnSync('python3', [...pip, '--prefix', wheels, ...wanted], {stdio: 'inherit'});
  if (status !== 0)
    console.error(`ember-ml: python3 with pip could not fetch ${
        wanted.join(', ')}; the system's libraries are used`);
}

fetchWheels();
const local = path.join(wheels, 'local');  // Debian's Python installs to this folder below a prefix
const prefix = fs.existsSync(local) ? local : wheels;
const off = ['CLI', 'PYTHON', 'EXAMPLES', 'TESTS'].map(part => `-DEMBER_BUILD_${part}=OFF`);
run('-S', root, '-B', build, '-DCMAKE_BUILD_TYPE=Release', '-DEMBER_ENGINES=native',
    `-DEMBER_NODE_HEADERS=${headers}`, `-DEMBER_VENV=${prefix}`,
    `-DEMBER_SYSTEM_LIBRARIES=${process.env.EMBER_SYSTEM_LIBRARIES ? 'ON' : 'OFF'}`, ...off);
run('--build', build, '--target', 'ember_node', 'ember_native', '--parallel',
    String(os.availableParallelism()));
// Objects and wheels need ten times the space of the addon.
for (const part of ['CMakeFiles', 'engines', 'wheels'])
  fs.rmSync(path.join(build, part), {recursive: true, force: true});

const symbols = fs.readFileSync(path.join(build, 'lib/ember/engines/libember_native.so'), 'latin1');
for (const [library, sign] of [['oneDNN', 'libdnnl.so'], ['BLAS', 'gemm_']])
  if (!symbols.includes(sign))
    console.error(
        `ember-ml: WARNING: built without ${
            library}, so networks run several times slower. Install Python's pip ` +
        '(Debian: python3-pip), or oneDNN 3 and libopenblas-dev, and run: npm rebuild ember-ml');
