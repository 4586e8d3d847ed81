import { runnerImport, type Plugin } from 'vite';
import { describedModule } from './schema-source.js';

const DESCRIBED = '?described';

/**
 * The site gets the contracts without the schema library wherever it only needs to know what a value looks like: most
 * answers, and what is kept in the browser. A schema that does more (trims, compares, refuses with words of its own: forms)
 * stays as it is and brings the library, so what needs one is loaded when it is wanted.
 * @param site the folder of the site's sources, with a slash at its end
 */
export function describedContracts(site: string): Plugin {
  return {
    name: 'lectern-described-contracts',
    enforce: 'pre',
    async resolveId(source, importer, options) {
      if (!source.startsWith('#contracts/') || !importer?.startsWith(site)) return null;
      const contract = await this.resolve(source, importer, { ...options, skipSelf: true });
      return contract && contract.id + DESCRIBED;
    },
    async load(id) {
      if (!id.endsWith(DESCRIBED)) return null;
      const contract = id.slice(0, -DESCRIBED.length);
      const { module, dependencies } = await runnerImport<Record<string, unknown>>(contract);
      for (const file of dependencies) this.addWatchFile(file);
      return describedModule(module, contract, `${site}lib/shapes.ts`);
    },
  };
}
