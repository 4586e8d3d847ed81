import { useEffect } from 'react';
import { labels } from './labels.js';

/** Names the browser's tab after the page. */
export function usePageTitle(page?: string): void {
  useEffect(() => {
    document.title = page ? `${page} · ${labels.title}` : labels.title;
  }, [page]);
}
