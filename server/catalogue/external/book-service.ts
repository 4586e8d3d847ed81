import { z } from 'zod';

/** A book as a service outside knows it; what it does not know is empty. */
export interface FoundBook {
  title: string;
  description: string;
  /** As they are printed. */
  authors: string[];
  genres: string[];
  publisher: string;
  /** As it is printed. */
  published: string;
}

/** A service that is asked for books by their ISBN. */
export interface BookService {
  /** For sentences. */
  name: string;
  /**
   * @returns undefined where the service does not know the book
   * @throws ServiceFailed where it gave no usable answer
   */
  find(isbn: string): Promise<FoundBook | undefined>;
}

/** A service did not answer, or not with what it promises. */
export class ServiceFailed extends Error {}

/** Milliseconds for a whole answer: somebody waits at the form. */
const LONGEST = 4_000;
/** Bytes; answers are some kilobytes. */
const LARGEST = 1024 * 1024;

/**
 * Asks for JSON.
 * @returns undefined where there is none (404)
 * @throws ServiceFailed for any other status, no answer in time, too large a one, or one of another shape
 */
export async function getJson<Schema extends z.ZodType>(
  address: URL,
  schema: Schema,
): Promise<z.output<Schema> | undefined> {
  let text: string;
  try {
    const response = await fetch(address, {
      headers: { accept: 'application/json', 'user-agent': 'Lectern (library management)' },
      signal: AbortSignal.timeout(LONGEST),
    });
    if (response.status === 404) {
      await response.body?.cancel();
      return undefined;
    }
    if (!response.ok) {
      await response.body?.cancel();
      throw new ServiceFailed(`status ${response.status}`);
    }
    text = await readBounded(response);
  } catch (error) {
    if (error instanceof ServiceFailed) throw error;
    throw new ServiceFailed('no answer', { cause: error });
  }
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch (error) {
    throw new ServiceFailed('the answer is no JSON', { cause: error });
  }
  const result = schema.safeParse(json);
  if (!result.success) throw new ServiceFailed('the answer has another shape', { cause: result.error });
  return result.data;
}

async function readBounded(response: Response): Promise<string> {
  const decoder = new TextDecoder();
  let text = '';
  let size = 0;
  for await (const chunk of response.body ?? []) {
    const bytes = chunk as Uint8Array;
    size += bytes.byteLength;
    if (size > LARGEST) throw new ServiceFailed('the answer is too large');
    text += decoder.decode(bytes, { stream: true });
  }
  return text + decoder.decode();
}

/** A text that may be missing, or of a kind that nobody promised: then it is empty, and the rest still counts. */
export const looseText = z.string().catch('').default('');

/** A list without the items that do not fit the schema. */
export const looseList = <Item extends z.ZodType>(item: Item) =>
  z
    .array(z.unknown())
    .catch([])
    .default([])
    .transform((items) =>
      items.slice(0, 200).flatMap((each) => {
        const result = item.safeParse(each);
        return result.success ? [result.data] : [];
      }),
    );

/** A title with what stands below it. */
export function wholeTitle(title: string, subtitle: string): string {
  return [title.trim(), subtitle.trim()].filter((part) => part !== '').join(': ');
}
