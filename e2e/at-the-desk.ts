import { apiCaller } from './api-caller.js';
import { registerByApi } from './people.js';

const NAMES = [
  ['Zofia', 'Wiśniewska'],
  ['Jan', 'Kowalczyk'],
  ['Hanna', 'Żebrowska'],
  ['Tomasz', 'Łęcki'],
] as const;
const PASSWORD = 'Sekret#2026';

/** An hour at the desk: some borrows in each state that it can bring about, and a stock-taking that is begun. */
export async function lend(url: string): Promise<void> {
  const admin = await apiCaller(url, 'admin', 'Admin123!');
  const readers = [await apiCaller(url, 'reader', 'Reader123!')];
  for (const [index, [firstname, lastname]] of NAMES.entries()) {
    const username = `reader-${index}`;
    await registerByApi(url, { username, password: PASSWORD, firstname, lastname });
    readers.push(await apiCaller(url, username, PASSWORD));
  }
  const { items } = await admin.get<{ items: { id: number }[] }>(
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
}
