import sharp from 'sharp';
import { caller } from '../test-support/product/caller.js';
import { waitFor } from '../test-support/wait-for.js';
import { apiCaller, guestCaller } from './api-caller.js';
import { PASSWORDS } from './people.js';

interface Book {
  id: number;
  isbn: string;
  authors: { id: number }[];
  genres: { id: number }[];
  publisher: { id: number };
  photo: { url: string } | null;
}

/** What the library said was done. */
export interface DoneWork {
  /** Borrows that were rented. */
  borrows: string[];
  /** Addresses of covers with the bytes that were served there. */
  covers: { url: string; bytes: string }[];
  /** User names that were registered, all with the password `Sekret#2026`. */
  accounts: string[];
}

export interface LibraryLoad {
  /** What was done so far; a copy. */
  done(): DoneWork;
  /** Waits until it has done as much of everything once more. */
  goesOn(): Promise<void>;
  /** Lets what is under way come to its end. */
  stop(): Promise<void>;
}

const NEW_PASSWORD = 'Sekret#2026';

/** Keeps a library busy: readers rent, the desk issues and takes back, covers are put up and people register. */
export async function startLoad(url: string): Promise<LibraryLoad> {
  const work: DoneWork = { borrows: [], covers: [], accounts: [] };
  let isStopping = false;
  const desk = await apiCaller(url, 'admin', PASSWORDS.admin);
  const { items: books } = await desk.get<{ items: Book[] }>('Book?pageNumber=1&pageSize=20');

  const borrowing = async (username: 'reader' | 'auditor', offset: number) => {
    const reader = await apiCaller(url, username, PASSWORDS[username]);
    for (let turn = offset; !isStopping; turn += 2) {
      const borrowId = await reader.rent([books[turn % books.length]?.id ?? 0]);
      work.borrows.push(borrowId);
      await desk.issue(borrowId);
      await desk.takeBack(borrowId);
    }
  };
  const picturing = async () => {
    const { token } = await guestCaller(url).post<{ token: string }>('Account/login', {
      username: 'admin',
      password: PASSWORDS.admin,
    });
    const [model] = books;
    if (!model) throw new Error('There are no books.');
    for (let turn = 0; !isStopping; turn += 1) {
      const id = await addBook(caller(url, token).send, model, turn);
      const { photo } = await desk.get<Book>(`Book/${id}`);
      const address = photo?.url ?? '';
      work.covers.push({ url: address, bytes: await coverAt(url, address) });
    }
  };
  const registering = async () => {
    for (let turn = 0; !isStopping; turn += 1) {
      const username = `newcomer${turn}`;
      await guestCaller(url).post('Account/register', registrationOf(username));
      work.accounts.push(username);
      await new Promise((done) => setTimeout(done, 200));
    }
  };
  const all = Promise.all([borrowing('reader', 0), borrowing('auditor', 1), picturing(), registering()]);
  all.catch(() => undefined);

  const done = () => ({
    borrows: [...work.borrows],
    covers: [...work.covers],
    accounts: [...work.accounts],
  });
  return {
    done,
    goesOn: async () => {
      const before = done();
      const more = waitFor(
        () =>
          work.borrows.length >= before.borrows.length + 4 &&
          work.covers.length >= before.covers.length + 2 &&
          work.accounts.length >= before.accounts.length + 2,
      );
      await Promise.race([more, all.then(() => more)]);
    },
    stop: async () => {
      isStopping = true;
      await all;
    },
  };
}

/** What is served as a book's cover, as text that can be compared. */
export async function coverAt(url: string, address: string): Promise<string> {
  const response = await fetch(new URL(address, url));
  if (!response.ok) throw new Error(`${address}: ${response.status}`);
  return Buffer.from(await response.arrayBuffer()).toString('base64');
}

async function addBook(
  send: (method: 'POST', path: string, form: FormData) => Promise<{ status: number; body: { id: number } }>,
  model: Book,
  turn: number,
): Promise<number> {
  const form = new FormData();
  const fields = {
    isbn: `29999${String(turn).padStart(8, '0')}`,
    isbnConfirmed: 'true',
    title: `Written under load ${turn}`,
    description: 'Put up while a backup is made.',
    publicationDate: '2020-02-02',
    copiesAvailable: '2',
    'publisher.id': String(model.publisher.id),
    'authors[0].id': String(model.authors[0]?.id),
    'genres[0].id': String(model.genres[0]?.id),
  };
  for (const [name, value] of Object.entries(fields)) form.set(name, value);
  const background = { r: (turn * 37) % 256, g: (turn * 91) % 256, b: 120 };
  const picture = await sharp({ create: { width: 300, height: 450, channels: 3, background } })
    .png()
    .toBuffer();
  form.set('bookcover', new File([new Uint8Array(picture)], 'cover.png', { type: 'image/png' }));
  const { status, body } = await send('POST', 'Book', form);
  if (status !== 201) throw new Error(`POST Book: ${status} ${JSON.stringify(body)}`);
  return body.id;
}

function registrationOf(username: string): object {
  return {
    username,
    email: `${username}@example.org`,
    password: NEW_PASSWORD,
    confirmPassword: NEW_PASSWORD,
    firstname: 'Nowy',
    lastname: 'Czytelnik',
    dateOfBirth: '1990-04-12',
    gender: 'Other',
    country: 'Poland',
    adress: 'ul. Długa 7',
    city: 'Kraków',
    postalCode: '31-146',
  };
}
