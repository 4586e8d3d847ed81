import { runnerImport, type Plugin } from 'vite';
import { areCalls, isCall } from '../../contracts/call.js';
import { describedCall, describedModule } from './schema-source.js';

const DESCRIBED = '?described';
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
  const modules = new Map<string, ReturnType<typeof runnerImport<Record<string, unknown>>>>();
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
        const call = (await modules.get(contract))?.module[name.slice(1)];
        return isOfCalls(call)
          ? { code: describedCall(call, contract, name.slice(1), shapes), moduleSideEffects: false }
          : null;
      }
      const imported = runnerImport<Record<string, unknown>>(contract);
      modules.set(contract, imported);
      const { module, dependencies } = await imported;
      for (const file of dependencies) this.addWatchFile(file);
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
  };
}
