const { AsyncResource } = require('node:async_hooks');
const { createRequire } = require('node:module');
const { relative } = require('node:path');
const { fileURLToPath, pathToFileURL } = require('node:url');
const { compileFunction, SyntheticModule } = require('node:vm');
const { default: Runtime } = require('jest-runtime');
const { asLoaded } = require('./as-loaded.cjs');

const PACKAGE = /^(?:@[^/]+\/)?[\w-]/;
/** A module of jest-circus that holds what belongs to one test file: its tests, hooks and results. */
const OF_ONE_FILE = 'jestAdapterInit.js';
/** The product's own modules: neither tests, nor what is there for them alone. */
const PRODUCT =
  /^(?:contracts|circulation|copies|platform|server|projections|embedded|cli)\/(?!.*\.spec\.ts$)/;

/** What this process has loaded: packages by path, modules of the product by address, and where those come from. */
const packages = new Map();
const product = new Map();
const sourceMaps = new Map();
/** By address of a module of the product: puts back what it exports. */
const restores = new Map();
/** Where no test runs: Node keeps the promise of a module's evaluation, and with it all that the test has. */
const outside = new AsyncResource('outside of tests');

let ofThisFile;

/** The modules of a test file, and those of the product that this process has loaded before. */
class Modules extends Map {
  get(address) {
    return super.get(address) ?? product.get(address);
  }
  has(address) {
    return super.has(address) || product.has(address);
  }
}

/**
 * Loads packages, by Node itself, and the product's own modules once in a process, and test files with what is there for
 * them alone anew: loading took longer than most of the tests, and Node keeps every module that was loaded for one file.
 * What a module keeps to itself for the whole process the files of one worker share, as two servers in one process would;
 * what it exports is put back after each. Needs `process-environment`.
 */
class PackageSharingRuntime extends Runtime {
  constructor(...options) {
    super(...options);
    ofThisFile = this;
    const { esmLoader, executor, registries, transformCache, _resolution: resolution } = this;
    registries.esModuleRegistry = new Modules();
    transformCache.sourceMaps = sourceMaps;
    // No context: modules are compiled for the process itself.
    esmLoader.getContext = () => undefined;
    executor.compile = (source, filename) =>
      compileFunction(source, executor.injectedModuleParameters, { filename });
    // All imports go by `resolveModule`; in newer versions of Node jest would first try a path of its own.
    resolution.canResolveSync = () => false;
    const ownModule = esmLoader.resolveModule.bind(esmLoader);
    esmLoader.resolveModule = async (specifier, from, context) => {
      if (!PACKAGE.test(specifier) || specifier === '@jest/globals' || resolution.isCoreModule(specifier))
        return ownModule(specifier, from, context);
      const path = await resolution.resolveEsmAsync(from, specifier);
      if (!path.includes('/node_modules/') || path.endsWith('.json'))
        return ownModule(specifier, from, context);
      if (!packages.has(path)) packages.set(path, outside.runInAsyncScope(importPackage, null, path));
      return packages.get(path);
    };
    const evaluate = esmLoader.linkAndEvaluateModule.bind(esmLoader);
    esmLoader.linkAndEvaluateModule = async (module) => {
      if (module.status === 'unlinked') await this.evaluateProduct(module, evaluate);
      return evaluate(module);
    };
    // A module of the product may have been loaded for a file that is over when it imports another.
    const ownImport = esmLoader.dynamicImport;
    esmLoader.dynamicImport = (...request) =>
      ofThisFile === this
        ? outside.runInAsyncScope(ownImport, null, ...request)
        : ofThisFile.esmLoader.dynamicImport(...request);
  }

  requireInternalModule(from, to = from) {
    if (to.endsWith(OF_ONE_FILE)) delete require.cache[to];
    return createRequire(from)(to);
  }

  /** Evaluates what a module imports of the product, before any line of a test can change what that exports. */
  async evaluateProduct(module, evaluate) {
    const { esmLoader, registries } = this;
    const linked = module.link((specifier, { identifier, context }) =>
      esmLoader.resolveModule(specifier, identifier, context),
    );
    esmLoader.linkingMap.set(module, linked);
    await linked;
    for (const [address, imported] of registries.esModuleRegistry) {
      if (restores.has(address) || !this.isOfProduct(address)) continue;
      // What another import has not linked yet, it evaluates itself.
      if (imported.status === 'linked') await evaluate(imported);
      if (imported.status === 'evaluated') restores.set(address, asLoaded(imported.namespace));
    }
  }

  teardown() {
    for (const [address, module] of this.registries.esModuleRegistry)
      if (restores.has(address)) product.set(address, module);
    super.teardown();
    for (const restore of restores.values()) restore();
  }

  isOfProduct(address) {
    return (
      address.startsWith('file:') && PRODUCT.test(relative(this._config.rootDir, fileURLToPath(address)))
    );
  }
}

/** What Node's own import gives, in the form that modules of `vm` can be linked with. */
async function importPackage(path) {
  const exported = Object.entries(await import(pathToFileURL(path).href));
  const module = new SyntheticModule(
    exported.map(([name]) => name),
    () => {
      for (const [name, value] of exported) module.setExport(name, value);
    },
    { identifier: path },
  );
  if (module.status === 'unlinked') await module.link(() => undefined);
  await module.evaluate();
  return module;
}

exports.__esModule = true;
exports.default = PackageSharingRuntime;
