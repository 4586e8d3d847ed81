import type { ComponentType } from 'react';
import type { RouteObject } from 'react-router-dom';
import { latePage } from '../lib/router/late-page.js';

export type LoadPage = () => Promise<ComponentType>;

/** A page that is loaded when it is opened; without a path, the index of its parent. */
export function page(path: string | undefined, load: LoadPage): RouteObject {
  return path === undefined ? { index: true, ...latePage(load) } : { path, ...latePage(load) };
}
