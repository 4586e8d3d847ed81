import { z } from 'zod';
import { isbn10Of } from '../isbn.js';
import {
  getJson,
  lenientList,
  lenientText,
  ServiceFailed,
  fullTitle,
  type Asking,
  type FoundBook,
} from './book-service.js';

/** A text, plain or wrapped as `{ type: '/type/text', value }`. */
const text = z
  .union([z.string(), z.object({ value: z.string() }).transform(({ value }) => value)])
  .catch('')
  .default('');
const workKey = z.object({ key: z.string().regex(/^\/works\/OL\d+W$/) });
/** `/languages/eng` */
const languageKey = z.object({ key: z.string().regex(/^\/languages\/[a-z]{3}$/) });
const authorKey = z.string().regex(/^\/authors\/OL\d+A$/);

const editionSchema = z.object({
  title: lenientText,
  subtitle: lenientText,
  description: text,
  authors: lenientList(z.object({ name: z.string() })),
  subjects: lenientList(z.string()),
  publishers: lenientList(z.string()),
  publish_date: lenientText,
  languages: lenientList(languageKey),
  works: lenientList(workKey),
});
const answerSchema = z.record(z.string(), z.object({ details: editionSchema }));
const workSchema = z.object({
  title: lenientText,
  description: text,
  subjects: lenientList(z.string()),
  authors: lenientList(z.object({ author: z.object({ key: authorKey }) })),
});
const authorSchema = z.object({ name: z.string() });

type Work = z.output<typeof workSchema>;

/** Authors whose names are asked for one by one. */
const MAX_AUTHORS = 5;

/** Open Library: an edition by its ISBN, and of its work what the edition leaves out. */
export class OpenLibrary {
  constructor(
    private readonly base: string,
    private readonly asking: Asking,
  ) {}

  async find(isbn: string): Promise<FoundBook | undefined> {
    // An old edition may be recorded under its ten digits alone.
    const keys = [isbn, isbn10Of(isbn) ?? []].flat().map((number) => `ISBN:${number}`);
    const query = new URLSearchParams({ bibkeys: keys.join(), format: 'json', jscmd: 'details' });
    const answer = await getJson(this.address(`/api/books?${query.toString()}`), answerSchema, this.asking);
    const edition = keys.map((key) => answer?.[key]?.details).find((details) => details !== undefined);
    if (!edition) return undefined;

    const work = await this.workOf(edition);
    const authors = edition.authors.map(({ name }) => name);
    return {
      title: fullTitle(edition.title, edition.subtitle) || (work?.title ?? ''),
      description: edition.description || (work?.description ?? ''),
      authors: authors.length > 0 || !work ? authors : await this.authorsOf(work),
      genres: edition.subjects.length > 0 ? edition.subjects : (work?.subjects ?? []),
      publisher: edition.publishers[0] ?? '',
      published: edition.publish_date,
      language: languageOf(edition.languages),
    };
  }

  private async workOf(edition: z.output<typeof editionSchema>): Promise<Work | undefined> {
    const [work] = edition.works;
    const isComplete =
      edition.description !== '' && edition.authors.length > 0 && edition.subjects.length > 0;
    return work && !isComplete ? this.unlessItFails(`${work.key}.json`, workSchema) : undefined;
  }

  private async authorsOf(work: Work): Promise<string[]> {
    const keys = work.authors.slice(0, MAX_AUTHORS).map(({ author }) => author.key);
    const authors = await Promise.all(keys.map((key) => this.unlessItFails(`${key}.json`, authorSchema)));
    return authors.flatMap((author) => author?.name ?? []);
  }

  /** The edition is worth having without its work. */
  private async unlessItFails<Schema extends z.ZodType>(
    path: string,
    schema: Schema,
  ): Promise<z.output<Schema> | undefined> {
    try {
      return await getJson(this.address(path), schema, this.asking);
    } catch (error) {
      if (error instanceof ServiceFailed) return undefined;
      throw error;
    }
  }

  private address(path: string): URL {
    return new URL(this.base.replace(/\/+$/, '') + path);
  }
}

/** Of a book in several languages nobody knows which one is its own. */
function languageOf([first, second]: readonly { key: string }[]): string {
  return second ? '' : (first?.key.replace('/languages/', '') ?? '');
}
