// `import 'ember-ml/polyfill'`: programs written for browsers find navigator.ml and the interfaces.
'use strict';
require('./index.js').install(globalThis);
