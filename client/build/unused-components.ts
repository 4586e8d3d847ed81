import type { Plugin } from 'vite';

/**
 * Lets the bundler leave out the router's components that the site has no use for, such as forms: they are made by calls that
 * it cannot know to do nothing else, and what is given a name for debugging counts as used.
 */
export function unusedComponents(): Plugin {
  return {
    name: 'lectern-unused-components',
    apply: 'build',
    transform: {
      filter: { id: /\/node_modules\/react-router\// },
      handler: (code) =>
        code
          .replace(/^\w+\.displayName = ".*";$/gm, '')
          .replace(/= (?=React\d*\.(createContext|forwardRef|memo)\()/g, '= /* @__PURE__ */ '),
    },
  };
}
