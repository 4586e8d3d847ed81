import { APP_TITLES } from '#contracts/app-title.js';

/**
 * Wording that the specification fixes "as found" and that has a corrected form. This is the one place that
 * knows both; the page's `lectern-labels` chooses, and `lectern-title` may give the library a name of its own.
 */
const AS_FOUND = {
  /** The application's title. */
  title: APP_TITLES['as-found'] as string,
  /** Under the country control of the registration's last step and of the reader dialog. */
  countryRequired: 'City is required',
  publishersHeading: 'Genres',
  addPublisherButton: 'Add Genre',
  publisherNotAdded: 'Failed to add genre',
  genreNotUpdated: 'Failed to update author',
  genreDeleted: 'Author successfully deleted',
  deleteGenreQuestion: 'Are you sure you want to delete this author?',
  /** The side menu's link to /admin/raports, and that page's heading. */
  reports: 'Raports',
  downloadInventory: 'Download inventory raport of books',
};

export type Labels = typeof AS_FOUND;

const CORRECTED: Labels = {
  title: APP_TITLES.corrected,
  countryRequired: 'Country is required',
  publishersHeading: 'Publishers',
  addPublisherButton: 'Add Publisher',
  publisherNotAdded: 'Failed to add publisher',
  genreNotUpdated: 'Failed to update genre',
  genreDeleted: 'Genre successfully deleted',
  deleteGenreQuestion: 'Are you sure you want to delete this genre?',
  reports: 'Reports',
  downloadInventory: 'Download inventory report of books',
};

function meta(name: string): string {
  return document.querySelector<HTMLMetaElement>(`meta[name="${name}"]`)?.content.trim() ?? '';
}

/** The wording that this page was served with. */
export function readLabels(): Labels {
  const wording = meta('lectern-labels') === 'corrected' ? CORRECTED : AS_FOUND;
  return { ...wording, title: meta('lectern-title') || wording.title };
}

export const labels = readLabels();
