import { waitFor } from '../test-support/wait-for.js';
import { apiCaller, type ApiCaller } from './api-caller.js';
import { marcXml } from './marc-file.js';
import { registerByApi } from './people.js';

const NAMES = [
  ['Zofia', 'Wiśniewska'],
  ['Jan', 'Kowalczyk'],
  ['Hanna', 'Żebrowska'],
  ['Tomasz', 'Łęcki'],
] as const;
const PASSWORD = 'Sekret#2026';

/** Several wait for a title that is lent, one of them not before spring, and one was moved; a copy of another is kept. */
async function reserve(admin: ApiCaller, readers: readonly ApiCaller[]): Promise<void> {
  const pageOf = (pageNumber: number) =>
    admin.get<{ items: { id: number; copiesAvailable: number }[]; totalCount: number }>(
      `Book?SortBy=CopiesAvailable&pageNumber=${pageNumber}&pageSize=30`,
    );
  const first = await pageOf(1);
  const last = await pageOf(Math.ceil(first.totalCount / 30));
  const books = [...first.items, ...last.items].sort(
    (one, other) => one.copiesAvailable - other.copiesAvailable,
  );
  const [borrower, ...waiting] = [...readers].reverse();
  const single = books.find(({ copiesAvailable }) => copiesAvailable === 1);
  await borrower?.rent([single?.id ?? 0]);
  const holds: string[] = [];
  for (const reader of waiting.reverse())
    holds.push((await reader.post<{ id: string }>('Hold', { bookId: single?.id })).id);
  const [before, paused, moved] = holds;
  // A librarian changes what the lists know of; on a busy machine they may be behind.
  await waitFor(async () => {
    const queue = await admin.get<{ id: string }[]>(`Hold?bookId=${single?.id}`);
    return holds.every((hold) => queue.some(({ id }) => id === hold));
  });
  await admin.post(`Hold/${paused}/pause`, { until: '2100-03-21' });
  await admin.post(`Hold/${moved}/move`, { before, reason: 'study', note: 'An exam' });
  await readers[1]?.post('Hold', { bookId: books.at(-1)?.id });
}

/** A draft with something of everything that rules have. */
async function draftRules(admin: ApiCaller): Promise<void> {
  const { current } = await admin.get<{ current: { version: number; rules: object } }>('Rules');
  const rules = {
    ...current.rules,
    ...{ loanDays: 21, closedDays: [{ from: '2100-12-24', to: '2100-12-26' }] },
    exceptions: [{ reader: 'child', book: null, numbers: { maxBooksPerReader: 5 } }],
    week: [...Array.from({ length: 6 }, () => ({ opens: '09:00', closes: '18:00' })), null],
  };
  const draft = { name: 'Summer', rules, from: '2100-06-20', why: 'Holidays', basedOn: current.version };
  await admin.post('Rules/draft', draft);
}

/** A list of a reader, and one of the library that the home page shows, each with a few books. */
async function keepLists(
  admin: ApiCaller,
  reader: ApiCaller,
  books: readonly { id: number }[],
): Promise<void> {
  const own = await reader.post<{ id: string }>('List', { name: 'Summer', description: 'At the sea.' });
  const shelf = await admin.post<{ id: string }>('ReadingList', { name: 'Prize winners', onHome: true });
  for (const { id: bookId } of books.slice(0, 4)) {
    await reader.post(`List/${own.id}/books`, { bookId });
    await admin.post(`ReadingList/${shelf.id}/books`, { bookId });
  }
}

/** Records of which one is new, one of a book that is there, one of two books at once, and one damaged. */
function recordsFor([first, second]: readonly { isbn: string; title: string }[]): string {
  return marcXml([
    { control: 'a1', title: 'Sklepy cynamonowe', isbns: [] },
    { control: 'a2', title: first?.title ?? '', isbns: [first?.isbn ?? ''] },
    { control: 'a3', title: second?.title ?? '', isbns: [second?.isbn ?? '', first?.isbn ?? ''] },
    { control: '<', title: 'Damaged', isbns: [] },
  ]);
}

/** Readers of another system: one new, and one with a day that cannot be. */
const READERS = [
  'cardnumber,surname,firstname,dateofbirth,email,categorycode,dateexpiry',
  'K-2041,Zawadzka,Helena,1958-04-12,helena.zawadzka@example.org,PT,2031-12-31',
  'K-2042,Wrona,Emil,31.02.1990,,J,',
].join('\n');

/** The card is one reader's, the address another's. */
async function rowOfTwo([one, other]: readonly ApiCaller[]): Promise<string> {
  const card = await one?.get<{ card: { number: string } }>('Reader/mine');
  const profile = await other?.get<{ email: string }>('User/profile');
  return `${card?.card.number},Kaczmarek,Zofia,1990-04-12,${profile?.email},PT,`;
}

/** An hour at the desk: some borrows in each state that it can bring about, and a stock-taking that is begun. */
export async function lend(url: string): Promise<void> {
  const admin = await apiCaller(url, 'admin', 'Admin123!');
  const readers = [await apiCaller(url, 'reader', 'Reader123!')];
  for (const [index, [firstname, lastname]] of NAMES.entries()) {
    const username = `reader-${index}`;
    await registerByApi(url, { username, password: PASSWORD, firstname, lastname });
    readers.push(await apiCaller(url, username, PASSWORD));
  }
  const { items } = await admin.get<{ items: { id: number; isbn: string; title: string }[] }>(
    'Book?SortBy=CopiesAvailable&pageNumber=1&pageSize=30',
  );
  let turn = 0;
  for (let round = 0; round < 3; round += 1) {
    for (const reader of readers) {
      const books = items.slice(turn * 2, turn * 2 + (turn % 3 === 0 ? 2 : 1)).map(({ id }) => id);
      const borrow = await reader.rent(books);
      turn += 1;
      if (turn % 5 > 1 || round === 0) await admin.issue(borrow);
      if (round === 0 && turn % 2 === 0) await admin.takeBack(borrow);
    }
  }
  await admin.post('StockTaking', { name: 'Autumn', shelves: null });
  await admin.upload('MarcImport', 'file', 'autumn.xml', recordsFor(items));
  await admin.upload('ReaderImport', 'file', 'readers.csv', `${READERS}\n${await rowOfTwo(readers)}`);
  await reserve(admin, readers);
  await draftRules(admin);
  const [first] = readers;
  if (first) await keepLists(admin, first, items);
}
