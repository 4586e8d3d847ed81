import { relative } from 'node:path';
import type { Plugin } from 'vite';

/** Writes what each file of the build is made of: bytes of each source or package, before they are made smaller. */
export function moduleWeights(root: string, locale: string): Plugin {
  return {
    name: 'lectern-module-weights',
    apply: 'build',
    generateBundle(_options, bundle) {
      const weights = Object.values(bundle).flatMap((file) =>
        file.type === 'chunk' ? [[file.fileName, weightsOf(file.modules, root)] as const] : [],
      );
      const source = JSON.stringify(Object.fromEntries(weights));
      this.emitFile({ type: 'asset', fileName: `.vite/modules.${locale}.json`, source });
    },
  };
}

function weightsOf(
  modules: Record<string, { renderedLength: number }>,
  root: string,
): Record<string, number> {
  const weights: Record<string, number> = {};
  for (const [id, { renderedLength }] of Object.entries(modules)) {
    if (renderedLength === 0) continue;
    const name = nameOf(id, root);
    weights[name] = (weights[name] ?? 0) + renderedLength;
  }
  return weights;
}

/** The package of a module, or its place in the repository. */
function nameOf(id: string, root: string): string {
  const inPackage = /.*\/node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(id);
  if (inPackage?.[1]) return inPackage[1];
  const [file = id] = id.replace(/^\0/, '').split('?');
  return file.startsWith('/') ? relative(root, file) : file;
}
