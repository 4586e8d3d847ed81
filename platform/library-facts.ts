import { z } from 'zod';
import { APP_TITLES } from '#contracts/app-title.js';
import { keptFactsSchema, NO_FACTS, type KeptFacts } from '#contracts/library/library-facts.js';
import { readCurrencyBy } from '#contracts/currency.js';
import type { Database, Queryable } from './database/database.js';
import type { Notifications } from './database/notifications.js';
import { queryRow } from './database/query-rows.js';
import { sayAsInstalled, sayUsually } from './language.js';
import type { Logger } from './logging.js';
import { sayInOwnWords } from './own-words.js';
import type { Settings } from './settings.js';

type NameSettings = Pick<Settings, 'APP_TITLE' | 'LABELS' | 'CONTACT'>;

/** As a row has them: one that is newer than the row was not said then. */
export const keptRow = z
  .looseObject({})
  .transform((facts) => keptFactsSchema.parse({ ...NO_FACTS, ...facts }));

const row = z.object({ version: z.int(), facts: keptRow });

/** `APP_TITLE`, else what the library calls itself, else what the product is called. */
export const libraryName = (
  { APP_TITLE, LABELS }: Pick<Settings, 'APP_TITLE' | 'LABELS'>,
  kept = '',
): string => APP_TITLE?.trim() || kept || APP_TITLES[LABELS];

/** What was set last. Version 0: nothing was ever. */
export async function storedFacts(database: Queryable): Promise<z.output<typeof row>> {
  const text = 'select version, facts from library_facts order by version desc limit 1';
  return (
    (await queryRow(database, row, { name: 'library-facts', text, values: [] })) ?? {
      version: 0,
      facts: NO_FACTS,
    }
  );
}

/**
 * What the library says of itself, in this process: as it was set last, by whichever process. `APP_TITLE` and `CONTACT` win over
 * what was set.
 */
export class LibraryFacts {
  private kept = NO_FACTS;

  constructor(private readonly settings: NameSettings) {}

  static async open(
    settings: NameSettings,
    database: Database,
    notifications: Notifications,
    logger: Logger,
  ): Promise<LibraryFacts> {
    sayAsInstalled(settings);
    const library = new LibraryFacts(settings);
    await library.read(database);
    const again = () =>
      library
        .read(database)
        .catch((error: unknown) =>
          logger.warn({ error }, 'what the library says of itself could not be read again'),
        );
    notifications.on('library', () => void again());
    notifications.on('gap', () => void again());
    return library;
  }

  get all(): KeptFacts {
    return this.kept;
  }

  /** What the library is called wherever it is named: on the site, in letters, on paper, in code apps. */
  get name(): string {
    return libraryName(this.settings, this.kept.name);
  }

  /** How it is reached, on lines of their own; empty where nothing is said. */
  get contact(): string {
    const { address, phone, email } = this.kept;
    return this.settings.CONTACT?.trim() || [address, phone, email].filter(Boolean).join('\n');
  }

  private async read(database: Queryable): Promise<void> {
    this.kept = (await storedFacts(database)).facts;
    sayUsually(this.kept.language || 'en');
    readCurrencyBy(() => this.kept.currency);
    sayInOwnWords(this.kept.letters.words);
  }
}
