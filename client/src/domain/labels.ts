import { APP_TITLES } from '#contracts/app-title.js';

/**
 * Every text that the specification fixes and that reads better otherwise: as it was found, and corrected. This is the
 * one place that knows both; the page's `lectern-labels` chooses, and `lectern-title` may give the library a name of
 * its own. An empty text is left out.
 */
const TEXTS = {
  /** The application's title. */
  title: [APP_TITLES['as-found'], APP_TITLES.corrected],
  /** Where an address leads that is none of the site's; else it is said to be none. */
  unknownLeadsTo: ['/', ''],
  /** On every card of the catalogue, with genre and number of copies; else a card is its title's link. */
  viewDetails: ['View Details', ''],
  // Rules on the home page that are those of a thesis and not of a library.
  ruleOfThesis: ["This system is for academic use, in a master's thesis project.", ''],
  ruleOfDevelopment: ['The system is in development and not for commercial use.', ''],
  ruleOfData: ['Data entered here is for educational purposes only.', ''],
  /** Under the country control of the registration's last step and of the reader dialog. */
  countryRequired: ['City is required', 'Country is required'],
  publishersHeading: ['Genres', 'Publishers'],
  addPublisherButton: ['Add Genre', 'Add Publisher'],
  publisherNotAdded: ['Failed to add genre', 'Failed to add publisher'],
  genreNotUpdated: ['Failed to update author', 'Failed to update genre'],
  genreDeleted: ['Author successfully deleted', 'Genre successfully deleted'],
  deleteGenreQuestion: [
    'Are you sure you want to delete this author?',
    'Are you sure you want to delete this genre?',
  ],
  /** The menu's link to /admin/raports, and that page's heading. */
  reports: ['Raports', 'Reports'],
  downloadInventory: ['Download inventory raport of books', 'Download inventory report of books'],
} satisfies Record<string, readonly [asFound: string, corrected: string]>;

export type Labels = Record<keyof typeof TEXTS, string>;

function meta(name: string): string {
  return document.querySelector<HTMLMetaElement>(`meta[name="${name}"]`)?.content.trim() ?? '';
}

/** The wording that this page was served with: the corrected one unless the server says otherwise. */
export function readLabels(): Labels {
  const wording = meta('lectern-labels') === 'as-found' ? 0 : 1;
  const texts = Object.fromEntries(Object.entries(TEXTS).map(([name, forms]) => [name, forms[wording]]));
  return { ...(texts as Labels), title: meta('lectern-title') || TEXTS.title[wording] };
}

export const labels = readLabels();
