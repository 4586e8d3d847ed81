import { fileURLToPath } from 'node:url';
import tailwind from '@tailwindcss/vite';
import react from '@vitejs/plugin-react';
import { defaultClientConditions, defineConfig } from 'vite';
import { componentLayer } from './build/component-layer.js';
import { describedContracts } from './build/described-contracts.js';
import { moduleWeights } from './build/module-weights.js';
import { pageParts } from './build/page-parts.js';
import { sharedByPages } from './build/reader-pages.js';
import { unusedParts } from './build/unused-parts.js';
import { inOneLanguage } from './build/in-one-language.js';

const SERVER = 'http://127.0.0.1:3000';
const root = fileURLToPath(new URL('..', import.meta.url));
const site = fileURLToPath(new URL('src/', import.meta.url));

/** @param mode the language and wording that the site is built in, else English */
export default defineConfig(({ mode }) => ({
  plugins: [
    inOneLanguage(mode),
    describedContracts(site),
    unusedParts(site),
    react(),
    componentLayer(),
    tailwind(),
    pageParts(),
    moduleWeights(root, mode),
  ],
  resolve: {
    // `#contracts/...` then leads to the sources, not to the compiled server side.
    conditions: ['lectern-source', ...defaultClientConditions],
    alias: [
      { find: /^zod$/, replacement: `${site}lib/jitless-zod.ts` },
      // Its own description of what it exports leads to the build for developers, always.
      {
        find: /^react-router$/,
        replacement: `${root}node_modules/react-router/dist/production/index.mjs`,
      },
    ],
  },
  build: {
    outDir: '../dist/client',
    // Every language's site is built into the same folder, which whoever builds empties.
    emptyOutDir: false,
    target: 'es2022',
    // Browsers that know none load what a page needs one after the other.
    modulePreload: { polyfill: false },
    // Which chunks a page needs: see `e2e/site/weight.spec.ts`.
    manifest: `.vite/manifest.${mode}.json`,
    rolldownOptions: {
      output: {
        codeSplitting: {
          groups: [{ debugName: 'site', name: sharedByPages(site), includeDependenciesRecursively: false }],
        },
      },
      // A page that needs one thing of a contract does not get the rest of it.
      treeshake: { moduleSideEffects: [{ test: /\/(contracts|circulation)\//, sideEffects: false }] },
    },
  },
  // The one worker reads barcodes; the server knows its file by this name.
  worker: { format: 'es', rolldownOptions: { output: { entryFileNames: 'assets/[name]-[hash].js' } } },
  server: { proxy: { '/api': SERVER, '/socket.io': { target: SERVER, ws: true } } },
}));
