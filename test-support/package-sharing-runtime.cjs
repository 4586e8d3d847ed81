const { createRequire } = require('node:module');
const { pathToFileURL } = require('node:url');
const { compileFunction, SyntheticModule } = require('node:vm');
const { default: Runtime } = require('jest-runtime');

const PACKAGE = /^(?:@[^/]+\/)?[\w-]/;
/** A module of jest-circus that holds what belongs to one test file: its tests, hooks and results. */
const OF_ONE_FILE = 'jestAdapterInit.js';
/** Of this process, by path. */
const packages = new Map();

/**
 * Loads the project's own modules anew for each test file, as jest does, but packages once in a process, by Node
 * itself: loading Nest, TypeORM, gRPC and the others took longer than most of the tests. What a package keeps for the
 * whole process the files of one worker share, as two servers in one process would. Needs `process-environment`.
 */
class PackageSharingRuntime extends Runtime {
  constructor(...options) {
    super(...options);
    const { esmLoader, executor, _resolution: resolution } = this;
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
      if (!packages.has(path)) packages.set(path, importPackage(path));
      return packages.get(path);
    };
  }

  requireInternalModule(from, to = from) {
    if (to.endsWith(OF_ONE_FILE)) delete require.cache[to];
    return createRequire(from)(to);
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
