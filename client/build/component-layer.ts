import type { Plugin } from 'vite';

/** Puts the sheets of components into the layer under the utilities: what the markup says has the last word. */
export function componentLayer(): Plugin {
  return {
    name: 'lectern-component-layer',
    enforce: 'pre',
    transform: {
      filter: { id: /\.module\.css$/ },
      handler: (css) => `@layer components {\n${css}}\n`,
    },
  };
}
