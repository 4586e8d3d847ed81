import type { LibraryPage } from '#contracts/library/library-facts.js';
import * as m from '#words/messages.js';

/** What the page was served with; a page of no server has nothing. */
export const served = (name: string) =>
  document.querySelector<HTMLMetaElement>(`meta[name="lectern-${name}"]`)?.content.trim() ?? '';

/** Nobody has an account yet, as far as this page knows. */
export const isSetUpAwaited = () => served('set-up') === 'awaited';

/** What the library is called. */
export const libraryTitle = served('title') || m.common_title();

/** The pages that a library may have of its own; their addresses are their names in the contract. */
export const LIBRARY_PAGE_NAMES: Record<LibraryPage, string> = {
  imprint: m.library_fact_imprint(),
  privacy: m.library_fact_privacy(),
};

/** Those that it has. */
export const ownPages = () => served('pages').split(' ').filter(Boolean) as LibraryPage[];

/** Where its logo is; empty where it has none. */
export const logoAddress = () => {
  const digest = served('logo');
  return digest === '' ? '' : `/api/Library/logo/${digest}`;
};
