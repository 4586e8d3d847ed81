/**
 * Wording that the specification fixes "as found" and that has a corrected form. This is the one place that
 * knows both; the page's `lectern-labels` chooses, and `lectern-title` may give the library a name of its own.
 */
const WORDINGS = {
  'as-found': { title: 'The dating app' },
  corrected: { title: 'Lectern' },
} as const;

export interface Labels {
  /** The application's title. */
  title: string;
}

function meta(name: string): string {
  return document.querySelector<HTMLMetaElement>(`meta[name="${name}"]`)?.content.trim() ?? '';
}

/** The wording that this page was served with. */
export function readLabels(): Labels {
  const wording = WORDINGS[meta('lectern-labels') === 'corrected' ? 'corrected' : 'as-found'];
  return { ...wording, title: meta('lectern-title') || wording.title };
}

export const labels = readLabels();
