import type { ComponentType } from 'react';
import type { RouteObject } from 'react-router-dom';
import { lazyPage } from '../lib/router/lazy-page.js';

export type LoadPage = () => Promise<ComponentType>;

/** A page that is loaded when it is opened; without a path, the index of its parent. */
export function page(path: string | undefined, load: LoadPage): RouteObject {
  return path === undefined ? { index: true, ...lazyPage(load) } : { path, ...lazyPage(load) };
}
