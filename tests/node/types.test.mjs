// The types match the rows, and TypeScript accepts a program that uses them, in strict mode.
import assert from 'node:assert/strict';
import {spawnSync} from 'node:child_process';
import fs from 'node:fs';
import {test} from 'node:test';
import {fileURLToPath} from 'node:url';

const root = fileURLToPath(new URL('../..', import.meta.url));
const run = (...args) => {
  const {status, stdout, stderr} = spawnSync(process.execPath, args, {cwd: root, encoding: 'utf8'});
  assert.equal(status, 0, stdout + stderr);
};

const tsc = `${root}build/node_modules/typescript/bin/tsc`;
const skip =
    fs.existsSync(tsc) ? false : 'TypeScript is not in build/node_modules: tools/setup installs it';
test('tsc --strict accepts a program', {skip}, () => run(tsc, '-p', 'tests/node/tsconfig.json'));
