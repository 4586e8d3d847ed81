import { createRunnableDevEnvironment, resolveConfig, type Plugin } from 'vite';
import { areCalls, isCall } from '../../contracts/call.js';
import { describedCall, describedModule } from './schema-source.js';

const DESCRIBED = '?described';

/** What runs the contracts: one for all of them, as each imports the words, which are thousands of functions. */
async function openRunner() {
  const inline = {
    consumer: 'server' as const,
    dev: { moduleRunnerTransform: true },
    resolve: { external: true as const, mainFields: [], conditions: ['node'] },
  };
  const config = await resolveConfig(
    { configFile: false, envDir: false, cacheDir: process.cwd(), environments: { inline } },
    'serve',
  );
  const options = { runnerOptions: { hmr: { logger: false as const } }, hot: false };
  const environment = createRunnableDevEnvironment('inline', config, options);
  await environment.init();
  return environment;
}

const isOfCalls = (value: unknown) => isCall(value) || areCalls(value);

/**
 * The site gets the contracts without the schema library wherever it only needs to know what a value looks like: most
 * answers, and what is kept in the browser. A schema that does more (trims, compares, refuses with words of its own: forms)
 * stays as it is and brings the library, so what needs one is loaded when it is wanted.
 * @param site the folder of the site's sources, with a slash at its end
 */
export function describedContracts(site: string): Plugin {
  const shapes = `${site}lib/shapes.ts`;
  /** As they were imported last, by their files. */
  const modules = new Map<string, Promise<Record<string, unknown>>>();
  let opened: ReturnType<typeof openRunner> | undefined;
  return {
    name: 'lectern-described-contracts',
    enforce: 'pre',
    async resolveId(source, importer, options) {
      if (source.includes(`${DESCRIBED}=`)) return source;
      if (!source.startsWith('#contracts/') || !importer?.startsWith(site)) return null;
      const contract = await this.resolve(source, importer, { ...options, skipSelf: true });
      return contract && contract.id + DESCRIBED;
    },
    async load(id) {
      const [contract = '', name] = id.split(DESCRIBED);
      if (name === undefined) return null;
      // Each call is a module of its own: a page loads those that it makes.
      if (name !== '') {
        const call = (await modules.get(contract))?.[name.slice(1)];
        return isOfCalls(call)
          ? { code: describedCall(call, contract, name.slice(1), shapes), moduleSideEffects: false }
          : null;
      }
      const { runner } = await (opened ??= openRunner());
      const imported = runner.import<Record<string, unknown>>(contract);
      modules.set(contract, imported);
      const module = await imported;
      this.addWatchFile(contract);
      const calls = Object.keys(module).filter((each) => isOfCalls(module[each]));
      const others = Object.fromEntries(Object.entries(module).filter(([, value]) => !isOfCalls(value)));
      return {
        code: [
          describedModule(others, contract, shapes),
          ...calls.map((each) => `export { ${each} } from ${JSON.stringify(`${id}=${each}`)};`),
        ].join('\n'),
        moduleSideEffects: false,
      };
    },
    async closeBundle() {
      await (await opened)?.close();
      opened = undefined;
    },
  };
}
