import type { Plugin } from 'vite';

/** What the site does without, and the functions that then do nothing: whatever only they call is left out by the bundler. */
const IDLE: { file: RegExp; unused: string; functions: RegExp }[] = [
  {
    file: /\/react-dom-client\.production\.js$/,
    unused: '<ViewTransition>, and a ref of a fragment',
    functions: /ViewTransition|FragmentInstance/,
  },
  {
    file: /\/react-dom-client\.production\.js$/,
    unused: 'hydrateRoot: the page is drawn here, not by the server',
    functions:
      /^(popHydrationState|prepareToHydrateHostInstance|resetHydrationState|throwOnHydrationMismatch|getBumpedLaneForHydration|updateDehydratedSuspenseComponent|clearHydrationBoundary|hideOrUnhideDehydratedBoundary|queueIfContinuousEvent|clearIfContinuousEvent|retryIfBlockedOn|attemptContinuousHydration|attemptExplicitHydrationTarget)$/,
  },
  {
    file: /\/react-dom-client\.production\.js$/,
    unused: '<link>, <meta> and scripts from a component, preload() and its like',
    functions:
      /^(isHostHoistableType|getResource|acquireResource|mountHoistable|createHoistableInstance|getHydratableHoistableCache|preloadResource|suspendResource|insertSuspendedStylesheets|prefetchDNS|preconnect|preload|preloadModule|preinitStyle|preinitScript|preinitModuleScript)$/,
  },
  {
    file: /\/react-dom-client\.production\.js$/,
    unused: '<Activity>, <SuspenseList> and useActionState',
    functions:
      /^(updateActivityComponent|commitActivityHydrationCallbacks|updateSuspenseListComponent|cutOffTailIfNeeded|findFirstSuspended|mountActionState|updateActionState|rerenderActionState)$/,
  },
  {
    file: /\/node_modules\/react-router\//,
    unused: 'links that fetch ahead, warnings to developers',
    functions: /^(PrefetchPageLinks|useViewTransitionState|warning)$/,
  },
  {
    file: /\/query-core\/.*\/infiniteQueryBehavior\.js$/,
    unused: 'useInfiniteQuery',
    functions: /^infiniteQueryBehavior$/,
  },
];

/** The contexts of the half of react-router that loads data: there is nobody to give them a value. */
const DATA_CONTEXT = /\bReact\d*\.useContext\((DataRouter|DataRouterState|Framework|RSCRouter)Context\)/g;

/** What would need some of it. */
const NEEDS =
  /\b(ViewTransition|Activity|SuspenseList|useActionState|use\w*InfiniteQuery|hydrateRoot|prefetchDNS|preconnect|preload\w*|preinit\w*)\b.* from '(react|react-dom|@tanstack\/react-query)[\w./]*'|<(link|meta|script)[\s>]/;

/**
 * Lets the bundler leave out parts of React and its libraries that the site has no use for, a sixth of what a page waits for. It
 * cannot know by itself: they hang on what a component might turn out to be.
 * @param site the folder of the site's sources, with a slash at its end
 */
export function unusedParts(site: string): Plugin {
  const isFound = new Set<RegExp>();
  return {
    name: 'lectern-unused-parts',
    apply: 'build',
    transform(code, id) {
      if (id.startsWith(site)) {
        const [needed] = NEEDS.exec(code) ?? [];
        if (needed !== undefined)
          throw new Error(`${id}: client/build/unused-parts.ts leaves out ${needed}.`);
        return null;
      }
      const idle = IDLE.filter(({ file }) => file.test(id));
      if (idle.length === 0) return null;
      return withoutDataRouter(code)
        .replace(/\bisHydrating = !0/g, '0')
        .replace(/^FragmentInstance\.prototype\.\w+ = function[\s\S]*?^};/gm, '')
        .replace(/^function (\w+)\([^)]*\) \{\n[\s\S]*?^}/gm, (whole, name: string) => {
          const [first] = idle.filter(({ functions }) => functions.test(name));
          if (!first) return whole;
          isFound.add(first.functions);
          return `function ${name}() {}`;
        });
    },
    buildEnd(error) {
      if (error) return;
      const lost = IDLE.find(({ functions }) => !isFound.has(functions));
      if (lost) throw new Error(`client/build/unused-parts.ts finds nothing any more of: ${lost.unused}.`);
    },
  };
}

/** Components are made by calls that the bundler cannot know to do nothing else, and what has a name for debugging counts as used. */
function withoutDataRouter(code: string): string {
  return code
    .replace(/^\w+\.(displayName|contextType) = .*;$/gm, '')
    .replace(/= (?=React\d*\.(createContext|forwardRef|memo)\()/g, '= /* @__PURE__ */ ')
    .replace(DATA_CONTEXT, 'null')
    .replace('isDataRoute ? useNavigateStable() : ', '')
    .replace(/, dataRouterOpts\) \{/g, ') {')
    .replace(/\bdataRouterOpts\b/g, '(void 0)')
    .replace(/\bdataRouterState\b(?! =)/g, '(void 0)');
}
