import { inTransaction } from '#platform/database/database.js';
import type { ReportView } from '#contracts/reports/report.js';
import { writeBooks, type NewBook } from '../server/catalogue/book-writer.js';
import type { TestAccount, TestProduct } from './product.js';
import { waitFor } from './wait-for.js';

/** What a download answered. */
export interface Download {
  status: number;
  type: string | null;
  disposition: string | null;
  length: number;
  pdf: Buffer;
  /** The problem, where there is one. */
  // eslint-disable-next-line @typescript-eslint/no-explicit-any
  body: any;
}

/** Downloads from below `/api/Dashboard/`. */
export async function download(
  product: TestProduct,
  { token }: TestAccount,
  path: string,
): Promise<Download> {
  const response = await fetch(`${product.url}/api/Dashboard/${path}`, {
    headers: { authorization: `Bearer ${token}` },
  });
  const pdf = Buffer.from(await response.arrayBuffer());
  return {
    status: response.status,
    type: response.headers.get('content-type'),
    disposition: response.headers.get('content-disposition'),
    length: Number(response.headers.get('content-length')),
    pdf,
    body: response.status === 200 ? undefined : JSON.parse(pdf.toString()),
  };
}

let numbered = 0;

/** Writes books; what is not given is filled in. */
export async function addBooks(product: TestProduct, books: Partial<NewBook>[]): Promise<NewBook[]> {
  const complete = books.map((book) => {
    numbered += 1;
    return {
      isbn: `979${String(numbered).padStart(10, '0')}`,
      title: `Book ${numbered}`,
      description: '',
      authors: [{ firstname: 'Ada', lastname: 'Writer' }],
      genres: ['Various'],
      publisher: 'House',
      publicationDate: '2001-02-03',
      copies: 1,
      ...book,
    };
  });
  await inTransaction(product.database, (connection) => writeBooks(connection, complete));
  return complete;
}

/** Waits until a report is ready or has failed. */
export function ended(admin: TestAccount, reportId: string): Promise<ReportView> {
  return waitFor(async () => {
    const { body } = await admin.get('Dashboard/reports');
    const report = (body as ReportView[]).find(({ id }) => id === reportId);
    return report && (report.state === 'ready' || report.state === 'failed') && report;
  }, 60_000);
}
