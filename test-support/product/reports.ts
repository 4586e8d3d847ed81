import type { ReportView } from '#contracts/reports/report.js';
import type { NewBook } from '../../server/catalogue/book-writer.js';
import { addNewBooks } from './new-books.js';
import type { TestAccount, TestProduct } from './product.js';
import { waitFor } from '../wait-for.js';

/** What a download answered. */
export interface Download {
  status: number;
  type: string | null;
  disposition: string | null;
  length: number;
  pdf: Buffer;
  /** The problem, where there is one. */
  // oxlint-disable-next-line typescript/no-explicit-any
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

/** Writes books; what is not given is filled in. */
export function addBooks(product: TestProduct, books: Partial<NewBook>[]): Promise<NewBook[]> {
  return addNewBooks(product.database, books);
}

/** Waits until a report is ready or has failed. */
export function ended(admin: TestAccount, reportId: string): Promise<ReportView> {
  return waitFor(async () => {
    const { body } = await admin.get('Dashboard/reports');
    const report = (body as ReportView[]).find(({ id }) => id === reportId);
    return report && (report.state === 'ready' || report.state === 'failed') && report;
  }, 60_000);
}
