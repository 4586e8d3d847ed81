import { createElement, type ComponentType } from 'react';
import type { RouteObject } from 'react-router-dom';

/** The code of a page, loaded when somebody goes there. */
interface LateCode {
  /** Loads it; undefined where it is there. What could not be loaded is tried again. Never rejects. */
  load: () => Promise<void> | undefined;
  /** @throws what kept it from being loaded */
  get: () => ComponentType;
}

function lateCode(fetchCode: () => Promise<ComponentType>): LateCode {
  let code: ComponentType | undefined;
  let coming: Promise<void> | undefined;
  let failure: unknown;
  return {
    load() {
      if (code) return undefined;
      coming ??= fetchCode()
        .then(
          (fetched) => void (code = fetched),
          (error: unknown) => void (failure = error),
        )
        .finally(() => (coming = undefined));
      return coming;
    },
    get() {
      if (code) return code;
      throw failure;
    },
  };
}

function LatePage({ code }: { code: LateCode }) {
  return createElement(code.get());
}

/** What a route draws with code of its own, for the router to load before it goes there. */
export function lazyPage(fetchCode: () => Promise<ComponentType>): Pick<RouteObject, 'element' | 'handle'> {
  const code = lateCode(fetchCode);
  return { element: <LatePage code={code} />, handle: code };
}

/** The area of a path, whose routes are loaded when somebody first goes there. */
export function lazyRoutes(path: string, fetchRoutes: () => Promise<RouteObject[]>): RouteObject {
  const area: RouteObject = {
    path: `${path}/*`,
    ...lazyPage(async () => {
      const children = await fetchRoutes();
      Object.assign(area, { path, element: undefined, handle: undefined, children });
      return () => null;
    }),
  };
  return area;
}

/** Loads what is missing of these routes' code; undefined where nothing is. Never rejects. */
export function loadPages(routes: readonly RouteObject[]): Promise<unknown> | undefined {
  const coming = routes.flatMap(({ handle }) => (handle as LateCode | undefined)?.load() ?? []);
  return coming.length > 0 ? Promise.all(coming) : undefined;
}
