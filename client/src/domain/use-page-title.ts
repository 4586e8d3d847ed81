import { useEffect } from 'react';
import { libraryTitle } from '../domain/library.js';

/** Names the browser's tab after the page. */
export function usePageTitle(page?: string): void {
  useEffect(() => {
    document.title = page ? `${page} · ${libraryTitle}` : libraryTitle;
  }, [page]);
}
