import { act, fireEvent, screen, waitFor, within } from '@testing-library/react';
import { Outlet } from 'react-router-dom';
import { bookView } from '../../../../test-support/views.js';
import { answered, refused, serverOf, show, userOf, asAdmin } from '../../../../test-support/screen.js';
import { pasteInto } from '../../../../test-support/paste-into.js';
import { useTrackNavigation } from '../../../lib/router/back-navigation.js';
import { session } from '../../../lib/session.js';
import { BookSavePage } from './book-save-page.js';

const author = (id: number, firstname: string, lastname: string) => ({
  id,
  firstname,
  lastname,
  nationality: 'British',
  biography: 'Wrote books.',
  otherNames: [],
  fullname: `${firstname} ${lastname}`,
  version: 1,
});
const AUTHORS = [
  author(1, 'Terry', 'Pratchett'),
  author(2, 'Neil', 'Gaiman'),
  author(3, 'Mary', 'Shelley'),
  author(4, 'Jane', 'Austen'),
  author(5, 'Emily', 'Brontë'),
];
const GENRES = [
  { id: 1, name: 'Fantasy', description: 'Things that never were.', version: 1 },
  { id: 2, name: 'Humour', description: 'Things to laugh about.', version: 1 },
];
const PUBLISHERS = [
  {
    id: 1,
    name: 'Gollancz',
    adress: 'London',
    phone: '+44 20 7946 0000',
    website: 'https://g.uk',
    version: 1,
  },
  { id: 2, name: 'Corgi', adress: 'London', phone: '+44 20 7946 0001', website: 'https://c.uk', version: 1 },
];
const BOOK = bookView({
  id: 12,
  isbn: '9780575048003',
  title: 'Good Omens',
  description: 'The world ends on Saturday.',
  authors: AUTHORS.slice(0, 2),
  genres: GENRES.slice(0, 1),
  publisher: PUBLISHERS[0] ?? null,
  published: '1990-05-01',
  publicationDate: '1990-05-01',
  copiesTotal: 3,
  price: 39.9,
  version: 5,
});
const FOUND = {
  exists: false,
  id: null,
  isbn: '9780552131063',
  title: 'Mort',
  description: 'Death takes an apprentice.',
  authors: [
    { id: 1, firstname: 'Terry', lastname: 'Pratchett' },
    { id: null, firstname: 'Josh', lastname: 'Kirby' },
  ],
  genres: [
    { id: 1, name: 'Fantasy' },
    { id: null, name: 'Satire' },
  ],
  publisher: { id: null, name: 'Transworld' },
  published: '1987-11-12',
  language: null,
  asked: [
    { name: 'National Library', outcome: 'timed-out' },
    { name: 'Open Library', outcome: 'found' },
  ],
};
const USER = userOf('Admin');
const copy = (number: number, check: number, more: object = {}) => ({
  ...{ code: `12-${number}-${check}`, bookId: 12, copy: number, state: 'on-shelf' },
  ...{ label: null, shelfMark: null, note: null, borrow: null, ...more },
});
const COPIES = [
  copy(1, 4, { shelfMark: 'A 3' }),
  copy(2, 1, {
    state: 'lent',
    borrow: {
      id: '0b54c0de-7f2a-4d0e-9d5e-5f8f3c1a2b30',
      user: { id: USER.id, fullname: 'Jan Kowalczyk' },
      status: 'Issued',
      dueDate: '2026-12-04T22:59:59.999Z',
      isScanned: true,
    },
  }),
  copy(3, 7, { state: 'lost' }),
];
/** The answer to the call for a page of them. */
const copiesOf = (...items: object[]) =>
  answered({
    items,
    totalCount: items.length,
    states: { 'on-shelf': 1, rented: 0, lent: 1, lost: 1, damaged: 0, withdrawn: 0 },
  });
const COPY = {
  ...COPIES[0],
  book: { id: 12, isbn: BOOK.isbn, title: BOOK.title, authors: [], photo: null },
  history: [],
  borrows: [],
};
const LOOKUP = 'GET BookExternalFetch/fetch-from-external';

let server: ReturnType<typeof serverOf>;

function Frame() {
  useTrackNavigation();
  return <Outlet />;
}

const shown = (address = '/admin/books/save') =>
  show(
    [
      {
        element: <Frame />,
        children: [
          { path: '/admin/books/save', element: <BookSavePage /> },
          { path: '/admin/books/save/:id', element: <BookSavePage /> },
          { path: '*', element: <p>Elsewhere</p> },
        ],
      },
    ],
    address,
  );

type Person = ReturnType<typeof show>['person'];
const field = (label: string) => screen.getByLabelText(label);
const button = (name: string) => screen.getByRole('button', { name });

async function choose(person: Person, list: string, ...names: string[]) {
  for (const name of names) {
    await pasteInto(person, field(list), name);
    await person.click(await screen.findByRole('option', { name }));
  }
}
async function fill(person: Person) {
  await pasteInto(person, field('ISBN'), '978-0-552-13106-3');
  await pasteInto(person, field('Title'), 'Mort');
  await pasteInto(person, field('Description'), 'Death takes an apprentice.');
  await choose(person, 'Authors', 'Terry Pratchett');
  await choose(person, 'Genres', 'Fantasy');
  fireEvent.change(field('Publication date'), { target: { value: '1987-11-12' } });
  await pasteInto(person, field('Copies available'), '4');
  await choose(person, 'Publisher', 'Corgi');
}
const picture = (type = 'image/png', size = 100) => new File([new Uint8Array(size)], 'cover', { type });

asAdmin();

describe('the book form', () => {
  beforeEach(() => {
    URL.createObjectURL = () => 'blob:cover';
    URL.revokeObjectURL = () => undefined;
    server = serverOf({
      'GET Author': answered(AUTHORS),
      'GET Genre': answered(GENRES),
      'GET Publisher': answered(PUBLISHERS),
      'GET Book/12': answered(BOOK),
      'GET Book/12/copies': copiesOf(...COPIES),
      'POST Book': answered({ id: 13, version: 1 }),
      'PUT Book/12': answered({ id: 12, version: 6 }),
      [LOOKUP]: answered(FOUND),
    });
  });

  it('finds each of thousands of authors, also one whose name is part of many others', async () => {
    const all = Array.from({ length: 3_000 }, (_, n) => author(n + 10, 'Jan', `Author ${n + 1}`));
    const jan = author(9, '', 'Jan');
    server.answers['GET Author'] = ({ query: { SearchTerm = '', pageSize } }) => {
      const matching = all.filter(({ fullname }) => fullname.includes(SearchTerm));
      return answered((SearchTerm === 'Jan' ? [jan, ...matching] : matching).slice(0, Number(pageSize)));
    };
    const { person } = shown();
    await person.click(field('Authors'));
    const offered = within(screen.getByRole('listbox', { name: 'authors' }));
    expect(await offered.findAllByRole('option')).toHaveLength(100);
    expect(screen.getByText('There may be more. Type to narrow the list.')).toBeTruthy();
    await choose(person, 'Authors', 'Jan Author 2999');
    // Enter comes before the answer does, and waits for it.
    await person.keyboard('Jan Author 1999{Enter}');
    expect(screen.getByText('Searching the authors…')).toBeTruthy();
    expect(offered.queryAllByRole('option')).toEqual([]);
    await screen.findByRole('button', { name: 'Remove Jan Author 1999' });
    await person.keyboard('Jan');
    await person.click(await screen.findByRole('option', { name: 'Jan' }));
    await screen.findByRole('button', { name: 'Remove Jan' });
    // What was searched for once is there at once; nothing is asked letter by letter.
    expect(server.asked('GET Author').map(({ query }) => query['SearchTerm'])).toEqual([
      '',
      'Jan Author 2999',
      'Jan Author 1999',
      'Jan',
    ]);
  });

  // spec 4.11
  it('shows everything that is missing when it is saved, submits nothing, and goes to the first', async () => {
    const { person } = shown();
    expect(screen.getByRole('heading', { level: 2 }).textContent).toBe('Add a book');
    expect(screen.queryByText('Title is required.')).toBeNull();
    await person.click(button('Save'));
    for (const message of [
      'ISBN is required and must be between 10 and 13 characters.',
      'Title is required.',
      'Description is required.',
      'At least one author is required.',
      'At least one genre is required.',
      'Publication date is required.',
      'Copies available is required and must be at least 1.',
      'Publisher is required.',
    ])
      expect(await screen.findByText(message)).toBeTruthy();
    expect(document.activeElement).toBe(field('ISBN'));
    expect(server.calls.every(({ call }) => call.startsWith('GET'))).toBe(true);
  });

  // spec 5.14, 9.6
  it('asks for 10 to 13 characters and at least one copy', async () => {
    const { person } = shown();
    await person.type(field('ISBN'), '12345');
    await person.type(field('Copies available'), '0');
    await person.tab();
    expect(
      await screen.findByText('ISBN is required and must be between 10 and 13 characters.'),
    ).toBeTruthy();
    expect(await screen.findByText('Copies available is required and must be at least 1.')).toBeTruthy();
  });

  // spec 2.33, 8.15
  it('sends a new book as a form, once, and goes to the list without asking', async () => {
    const { person, router } = shown();
    await fill(person);
    await person.upload(field('Cover image'), picture());
    expect(screen.getByAltText('The chosen cover').getAttribute('src')).toBe('blob:cover');
    await person.dblClick(button('Save'));
    expect(await screen.findByText('Book added')).toBeTruthy();
    await waitFor(() => expect(router.state.location.pathname).toBe('/admin/books'));
    expect(server.asked('POST Book')).toHaveLength(1);
    const sent = server.asked('POST Book')[0]?.body as Record<string, unknown>;
    expect(sent.bookcover).toBeInstanceOf(File);
    expect(sent).toMatchObject({
      isbn: '9780552131063',
      title: 'Mort',
      description: 'Death takes an apprentice.',
      publicationDate: '1987-11-12',
      copiesAvailable: '4',
      'publisher.id': '2',
      'authors[0].id': '1',
      'genres[0].id': '1',
    });
    expect(Object.keys(sent)).not.toContain('version');
  });

  it('changes the price of a book that lacks what a new one has to have, and empties nothing', async () => {
    const lacking = { description: '', genres: [], publisher: null, published: null, publicationDate: null };
    server.answers['GET Book/12'] = answered({ ...BOOK, ...lacking });
    const { person } = shown('/admin/books/save/12');
    await person.clear(await screen.findByLabelText('Price'));
    await pasteInto(person, field('Price'), '12.50');
    await person.clear(field('Title'));
    await person.click(button('Save'));
    expect(await screen.findByText('Title is required.')).toBeTruthy();
    expect(screen.queryByText('Description is required.')).toBeNull();
    await pasteInto(person, field('Title'), 'Good Omens');
    await person.click(button('Save'));
    expect(await screen.findByText('Book saved')).toBeTruthy();
    const sent = server.asked('PUT Book/12')[0]?.body as Record<string, unknown>;
    expect(sent).toMatchObject({ price: '12.50', description: '', publicationDate: '' });
    expect(Object.keys(sent).filter((name) => /^(genres|publisher)/.test(name))).toEqual([]);
  });

  // spec 2.35
  it('updates the book of its address, with its version and the copies it was opened with', async () => {
    const { person, router } = shown('/admin/books?q=omens&page=2');
    await act(() => router.navigate('/admin/books/save/12'));
    expect((await screen.findByRole('heading', { level: 2 })).textContent).toBe('Edit book');
    expect(await screen.findByDisplayValue('Good Omens')).toBeTruthy();
    await person.clear(field('Copies available'));
    await person.type(field('Copies available'), '6');
    await person.selectOptions(field('Lending'), 'Reading room only');
    await person.selectOptions(field('Language'), 'Polish');
    expect(screen.getByText(/^Cannot be rented, lent or reserved\./)).toBeTruthy();
    await person.click(button('Save'));
    expect(await screen.findByText('Book saved')).toBeTruthy();
    await waitFor(() => expect(router.state.location.pathname).toBe('/admin/books'));
    // The list as it was left.
    expect(router.state.location.search).toBe('?q=omens&page=2');
    expect(server.asked('PUT Book/12')[0]?.body).toMatchObject({
      version: '5',
      price: '39.90',
      kind: 'reading-room',
      language: 'pl',
      copiesBefore: '2',
      copiesAvailable: '6',
      'authors[0].id': '1',
      'authors[1].id': '2',
    });
  });

  it('asks for the series of a volume, and sends both', async () => {
    const { person } = shown('/admin/books/save/12');
    await person.type(await screen.findByLabelText('Volume'), '2');
    await person.click(button('Save'));
    expect(await screen.findByText('Enter the series this volume belongs to.')).toBeTruthy();
    await person.type(field('Series'), 'Discworld');
    await person.click(button('Save'));
    expect(await screen.findByText('Book saved')).toBeTruthy();
    expect(server.asked('PUT Book/12')[0]?.body).toMatchObject({ series: 'Discworld', volume: '2' });
  });

  it('allows no copies only where there were none', async () => {
    server.answers['GET Book/12'] = answered({ ...BOOK, copiesAvailable: 0 });
    const { person } = shown('/admin/books/save/12');
    await person.type(await screen.findByDisplayValue('Good Omens'), '!');
    await person.click(button('Save'));
    expect(await screen.findByText('Book saved')).toBeTruthy();
    expect(server.asked('PUT Book/12')[0]?.body).toMatchObject({ copiesAvailable: '0', copiesBefore: '0' });
  });

  it('shows the copies of the book, and does with one what it allows, once it was asked', async () => {
    server.answers['POST Copy/12-1-4/lost'] = refused(
      'CopyNotOnShelf',
      'The copy 12-1-4 cannot be marked lost.',
    );
    server.answers['POST Copy/12-3-7/found'] = answered({ ...COPY, code: '12-3-7' });
    const { person } = shown('/admin/books/save/12');
    expect(await screen.findByText('1 of 2 on the shelf, 1 lost')).toBeTruthy();
    const lent = within(screen.getByRole('row', { name: /12-2-1/ }));
    expect(lent.getByText(/Jan Kowalczyk/)).toBeTruthy();
    expect(lent.getAllByRole('button').map(({ textContent }) => textContent)).toEqual(['Edit', 'History']);
    await person.click(button('Lost: copy 12-1-4'));
    await person.click(await screen.findByRole('button', { name: 'Cancel' }));
    expect(server.asked('POST Copy/12-1-4/lost')).toHaveLength(0);
    await person.click(button('Lost: copy 12-1-4'));
    await person.click(await screen.findByRole('button', { name: 'Yes, it is lost' }));
    expect(await screen.findByText('The copy 12-1-4 cannot be marked lost.')).toBeTruthy();
    await person.click(button('Found: copy 12-3-7'));
    expect(await screen.findByText('Copy 12-3-7 is on the shelf again')).toBeTruthy();
  });

  it('shows the copies page by page, and counts all of them', async () => {
    server.answers['GET Book/12/copies'] = ({ query: { pageNumber } }) =>
      answered({
        items: [pageNumber === '2' ? copy(21, 9) : copy(1, 4)],
        totalCount: 45,
        states: { 'on-shelf': 40, rented: 1, lent: 3, lost: 1, damaged: 0, withdrawn: 0 },
      });
    const { person } = shown('/admin/books/save/12');
    expect(await screen.findByText('40 of 44 on the shelf, 1 lost')).toBeTruthy();
    const pages = within(screen.getByRole('navigation', { name: 'Pages of copies' }));
    await person.click(pages.getByRole('button', { name: 'Page 2' }));
    expect(await screen.findByRole('button', { name: 'Edit copy 12-21-9' })).toBeTruthy();
    expect(server.asked('GET Book/12/copies').map(({ query }) => query)).toEqual([
      { pageNumber: '1', pageSize: '20' },
      { pageNumber: '2', pageSize: '20' },
    ]);
  });

  it('shows what happened to a copy and who had it, and leads to their borrow', async () => {
    const borrowId = '0b54c0de-7f2a-4d0e-9d5e-5f8f3c1a2b30';
    server.answers['GET Copy/12-2-1'] = answered({
      ...{ ...COPY, ...COPIES[1] },
      history: [{ type: 'CopyMoved', at: '2026-11-02T10:00:00.000Z', by: 'Zofia Lis', shelfMark: 'B 2' }],
      borrows: [
        {
          ...{ borrowId, user: { id: USER.id, fullname: 'Jan Kowalczyk' } },
          ...{ issueDate: '2026-10-01T10:00:00.000Z', returnDate: '2026-11-03T10:00:00.000Z' },
        },
      ],
    });
    const { router, person } = shown('/admin/books/save/12');
    await person.click(await screen.findByRole('button', { name: 'History of copy 12-2-1' }));
    await screen.findByText('Moved');
    const dialog = within(screen.getByRole('dialog'));
    expect(dialog.getAllByRole('listitem').map(({ textContent }) => textContent)).toEqual([
      expect.stringMatching(/^Back from Jan Kowalczyk2026-11-03/),
      expect.stringMatching(/^Moved, to B 2, by Zofia Lis2026-11-02/),
      expect.stringMatching(/^Lent to Jan Kowalczyk2026-10-01/),
    ]);
    await person.click(dialog.getByRole('link', { name: 'Lent to Jan Kowalczyk' }));
    expect(router.state.location.search).toBe(`?borrow=${borrowId}`);
  });

  it('adds a copy, and writes down where one stands', async () => {
    server.answers['POST Copy'] = answered({ ...COPY, code: '12-4-0', copy: 4 });
    server.answers['PUT Copy/12-1-4'] = answered(COPY);
    const { person } = shown('/admin/books/save/12');
    await person.click(await screen.findByRole('button', { name: 'Edit copy 12-1-4' }));
    const mark = await screen.findByLabelText('Shelf mark');
    await person.clear(mark);
    await person.type(mark, '!');
    await person.type(field('Note'), 'Signed');
    const dialog = within(screen.getByRole('dialog'));
    await person.click(dialog.getByRole('button', { name: 'Save' }));
    expect(await dialog.findByText(/A shelf mark has at most 40/)).toBeTruthy();
    await person.clear(mark);
    await person.type(mark, 'B 1');
    await person.click(dialog.getByRole('button', { name: 'Save' }));
    expect(await screen.findByText('Copy 12-1-4 saved')).toBeTruthy();
    expect(server.asked('PUT Copy/12-1-4')[0]?.body).toEqual({ shelfMark: 'B 1', note: 'Signed' });
    await person.click(button('Add a copy'));
    expect(await screen.findByText('Copy 12-4-0 added')).toBeTruthy();
    expect(server.asked('POST Copy')[0]?.body).toEqual({ bookId: 12 });
  });

  it('takes an unknown book for not found', async () => {
    server.answers['GET Book/99'] = refused('BookNotFound', 'This book is not in the catalogue.');
    const { router } = shown('/admin/books/save/99');
    await waitFor(() => expect(router.state.location.pathname).toBe('/not-found'));
  });

  // spec 8.14
  it('can be asked for again when it could not be loaded', async () => {
    server.answers['GET Book/12'] = refused('DatabaseUnavailable', 'The database does not answer.');
    const { person } = shown('/admin/books/save/12');
    expect(await screen.findByText('The database does not answer.')).toBeTruthy();
    server.answers['GET Book/12'] = answered(BOOK);
    await person.click(button('Retry'));
    expect(await screen.findByDisplayValue('Good Omens')).toBeTruthy();
  });

  describe('finding details by ISBN', () => {
    // spec 5.15, 8.19
    it('needs an ISBN', async () => {
      const { person } = shown();
      await person.click(button('Fetch details'));
      expect(await screen.findByText('Please enter an ISBN first.')).toBeTruthy();
      expect(server.asked(LOOKUP)).toHaveLength(0);
    });

    // spec 4.10
    it('fills the form, and offers to add the names that the catalogue does not know', async () => {
      server.answers['POST Author/add'] = ({ body }) =>
        answered({ ...(body as object), id: 9, fullname: 'Josh Kirby', version: 1 });
      const { person } = shown();
      await person.type(field('ISBN'), '9780552131063');
      await person.click(button('Fetch details'));
      expect(await screen.findByText('Book details fetched')).toBeTruthy();
      expect(server.asked(LOOKUP)[0]?.query).toEqual({ isbn: '9780552131063' });
      expect(field('Title')).toHaveProperty('value', 'Mort');
      expect(field('Publication date')).toHaveProperty('value', '1987-11-12');
      expect(button('Remove Terry Pratchett')).toBeTruthy();
      expect(button('Remove Fantasy')).toBeTruthy();
      expect(button('Add Satire')).toBeTruthy();
      expect(button('Add Transworld')).toBeTruthy();
      await person.click(button('Add Josh Kirby'));
      const dialog = within(screen.getByRole('dialog', { name: 'Add author' }));
      expect(dialog.getByLabelText('Last name')).toHaveProperty('value', 'Kirby');
      await person.type(dialog.getByLabelText('Nationality'), 'British');
      await person.type(dialog.getByLabelText('Biography'), 'Painted the covers.');
      await person.click(dialog.getByRole('button', { name: 'Add author' }));
      expect(await screen.findByText('Author added')).toBeTruthy();
      expect(await screen.findByRole('button', { name: 'Remove Josh Kirby' })).toBeTruthy();
      expect(screen.queryByRole('button', { name: 'Add Josh Kirby' })).toBeNull();
      expect(server.asked('POST Book')).toHaveLength(0);
    });

    it('is begun by the Enter of a scanner, which never sends the form', async () => {
      const { person } = shown();
      await fill(person);
      await person.clear(field('ISBN'));
      await person.type(field('ISBN'), '9780552131063{Enter}');
      await screen.findByRole('region', { name: 'Details found' });
      await person.type(field('ISBN'), '{Enter}');
      await waitFor(() => expect(server.asked(LOOKUP)).toHaveLength(2));
      expect(server.asked('POST Book')).toHaveLength(0);
      expect(screen.queryByText('Title is required.')).toBeNull();
    });

    it('says who answered, and offers each field beside what the form has, one by one', async () => {
      const { person } = shown();
      await pasteInto(person, field('Title'), 'Mort (Discworld)');
      await choose(person, 'Publisher', 'Corgi');
      await person.type(field('ISBN'), '9780552131063{Enter}');
      const found = within(await screen.findByRole('region', { name: 'Details found' }));
      expect(found.getByRole('status').textContent).toBe(
        'National Library did not answer in time. Open Library answered.',
      );
      // Nothing was taken by itself.
      expect(field('Title')).toHaveProperty('value', 'Mort (Discworld)');
      expect(field('Description')).toHaveProperty('value', '');
      expect(found.getByText('In the form: Mort (Discworld)')).toBeTruthy();
      expect(found.getByText('In the form: Corgi')).toBeTruthy();

      await person.click(found.getByRole('button', { name: 'Take: description' }));
      expect(field('Description')).toHaveProperty('value', 'Death takes an apprentice.');
      expect(found.getByRole('button', { name: 'Taken: description' })).toBe(document.activeElement);
      expect(screen.queryByRole('button', { name: 'Add Satire' })).toBeNull();

      await person.click(found.getByRole('button', { name: 'Take all that are empty in the form' }));
      expect(field('Publication date')).toHaveProperty('value', '1987-11-12');
      expect(button('Remove Terry Pratchett')).toBeTruthy();
      expect(button('Add Josh Kirby')).toBeTruthy();
      expect(button('Add Satire')).toBeTruthy();
      expect(field('Title')).toHaveProperty('value', 'Mort (Discworld)');
      expect(button('Remove Corgi')).toBeTruthy();
      expect(screen.queryByRole('button', { name: 'Add Transworld' })).toBeNull();
      expect(found.queryByRole('button', { name: /^Take all/ })).toBeNull();

      await person.click(found.getByRole('button', { name: 'Take: title' }));
      expect(field('Title')).toHaveProperty('value', 'Mort');
      // What is changed afterwards can be taken again.
      await person.type(field('Title'), '!');
      expect(found.getByText('In the form: Mort!')).toBeTruthy();
      expect(found.getByRole('button', { name: 'Take: title' })).toBeTruthy();
    });

    // spec 4.10
    it('goes to the form of a book that the catalogue has', async () => {
      server.answers[LOOKUP] = answered({ ...FOUND, exists: true, id: 12 });
      const { person, router } = shown();
      await person.type(field('ISBN'), '9780575048003');
      await person.click(button('Fetch details'));
      await waitFor(() => expect(router.state.location.pathname).toBe('/admin/books/save/12'));
      expect(await screen.findByDisplayValue('Good Omens')).toBeTruthy();
      expect(screen.getByRole('heading', { level: 2 }).textContent).toBe('Edit book');
    });

    it('asks before it leaves more than an ISBN behind', async () => {
      server.answers[LOOKUP] = answered({ ...FOUND, exists: true, id: 12 });
      const { person, router } = shown();
      await person.type(field('ISBN'), '9780575048003');
      await person.type(field('Title'), 'Mine');
      await person.click(button('Fetch details'));
      await person.click(await screen.findByRole('button', { name: 'Stay' }));
      expect(router.state.location.pathname).toBe('/admin/books/save');
      expect(field('Title')).toHaveProperty('value', 'Mine');
    });

    it.each([
      ['ExternalBookNotFound', 'Nobody knows this ISBN.'],
      ['ExternalServiceUnavailable', 'The services do not answer.'],
    ] as const)('says in its place what happened: %s', async (code, sentence) => {
      server.answers[LOOKUP] = refused(code, sentence);
      const { person } = shown();
      await person.type(field('ISBN'), '9780552131063');
      await person.type(field('Title'), 'Kept');
      await person.click(button('Fetch details'));
      expect((await screen.findByText(sentence)).closest('[role=alert]')).toBeTruthy();
      expect(field('Title')).toHaveProperty('value', 'Kept');
    });
  });

  describe('new names', () => {
    // spec 2.34
    it('a new genre joins the selection', async () => {
      server.answers['POST Genre/add'] = answered({
        id: 8,
        name: 'Satire',
        description: 'Sharp.',
        version: 1,
      });
      const { person } = shown('/admin/books/save/12');
      await person.click(await screen.findByRole('button', { name: '+ New genre' }));
      const dialog = within(screen.getByRole('dialog'));
      await person.type(dialog.getByLabelText('Name'), 'Satire');
      await person.type(dialog.getByLabelText('Description'), 'Sharp and funny.');
      await person.click(dialog.getByRole('button', { name: 'Add genre' }));
      expect(await screen.findByRole('button', { name: 'Remove Satire' })).toBeTruthy();
      expect(button('Remove Fantasy')).toBeTruthy();
    });

    // spec 2.34
    it('a new publisher becomes the selected one', async () => {
      server.answers['POST Publisher/add'] = answered({ ...PUBLISHERS[0], id: 8, name: 'Ace' });
      const { person } = shown('/admin/books/save/12');
      await person.click(await screen.findByRole('button', { name: '+ New publisher' }));
      const dialog = within(screen.getByRole('dialog'));
      for (const label of ['Name', 'Address', 'Phone', 'Website'])
        await person.type(dialog.getByLabelText(label), 'anything');
      await person.click(dialog.getByRole('button', { name: 'Add publisher' }));
      expect(await screen.findByRole('button', { name: 'Remove Ace' })).toBeTruthy();
      expect(screen.queryByRole('button', { name: 'Remove Gollancz' })).toBeNull();
    });
  });

  describe('a refusal', () => {
    const change = async (person: Person) => {
      await person.type(await screen.findByDisplayValue('Good Omens'), '!');
      await person.click(button('Save'));
    };

    // spec 8.14
    it('stays on the form as a message, with everything typed', async () => {
      server.answers['PUT Book/12'] = refused('DatabaseUnavailable', 'The database does not answer.');
      const { person, router } = shown('/admin/books/save/12');
      await change(person);
      expect(await screen.findByText('The database does not answer.')).toBeTruthy();
      expect(field('Title')).toHaveProperty('value', 'Good Omens!');
      expect(router.state.location.pathname).toBe('/admin/books/save/12');
      server.answers['PUT Book/12'] = answered({ id: 12, version: 6 });
      await person.click(button('Save'));
      expect(await screen.findByText('Book saved')).toBeTruthy();
    });

    it('of a field is shown under it', async () => {
      server.answers['PUT Book/12'] = refused('ValidationFailed', 'Please check the fields.', {
        description: ['At most 20000 characters.'],
        bookcover: ['This is no picture.'],
      });
      const { person } = shown('/admin/books/save/12');
      await change(person);
      expect(await screen.findByText('At most 20000 characters.')).toBeTruthy();
      expect(screen.getByText('This is no picture.')).toBeTruthy();
      expect(document.activeElement).toBe(field('Description'));
    });

    it('of an ISBN that another book has is shown under it', async () => {
      server.answers['PUT Book/12'] = refused('IsbnTaken', 'The ISBN is in the catalogue already.');
      const { person } = shown('/admin/books/save/12');
      await change(person);
      expect(await screen.findByText('The ISBN is in the catalogue already.')).toBeTruthy();
      expect(document.activeElement).toBe(field('ISBN'));
    });

    it('of a doubtful ISBN asks whether it is printed so, and saves it then', async () => {
      server.answers['PUT Book/12'] = ({ body }) =>
        (body as Record<string, string>).isbnConfirmed === 'true'
          ? answered({ id: 12, version: 6 })
          : refused('IsbnDoubtful', 'The check digit is wrong.');
      const { person } = shown('/admin/books/save/12');
      await change(person);
      const question = await screen.findByRole('alertdialog', {
        name: 'Is this ISBN really printed in the book?',
      });
      expect(within(question).getByText('The check digit is wrong.')).toBeTruthy();
      await person.click(button('No, correct it'));
      await waitFor(() => expect(document.activeElement).toBe(field('ISBN')));
      await person.click(button('Save'));
      await person.click(await screen.findByRole('button', { name: 'Yes, save it' }));
      expect(await screen.findByText('Book saved')).toBeTruthy();
      expect(server.asked('PUT Book/12')).toHaveLength(3);
    });

    it('of an outdated version offers the newer one, and keeps what was changed here', async () => {
      server.answers['PUT Book/12'] = refused('EditedMeanwhile', 'Somebody else has changed this book.');
      const { person } = shown('/admin/books/save/12');
      await change(person);
      expect(await screen.findByText(/Somebody else has changed this book\./)).toBeTruthy();
      server.answers['GET Book/12'] = answered({
        ...BOOK,
        version: 7,
        copiesAvailable: 1,
        title: 'Good Omens (2nd)',
      });
      await person.click(button('Load the newer version'));
      expect(await screen.findByText(/Your changes are kept: title\./)).toBeTruthy();
      expect(field('Title')).toHaveProperty('value', 'Good Omens!');
      expect(field('Copies available')).toHaveProperty('value', '1');
      server.answers['PUT Book/12'] = answered({ id: 12, version: 8 });
      await person.click(button('Save'));
      expect(await screen.findByText('Book saved')).toBeTruthy();
      expect(server.asked('PUT Book/12').at(-1)?.body).toMatchObject({ version: '7', copiesBefore: '1' });
    });
  });

  describe('leaving', () => {
    // spec 2.35
    it('goes to the list at once where nothing was changed', async () => {
      const { person, router } = shown('/admin/books/save/12');
      await screen.findByDisplayValue('Good Omens');
      await person.click(screen.getByRole('link', { name: 'Close' }));
      expect(router.state.location.pathname).toBe('/admin/books');
    });

    it('asks where something was', async () => {
      const { person, router } = shown('/admin/books/save/12');
      await person.type(await screen.findByDisplayValue('Good Omens'), '!');
      await person.click(screen.getByRole('link', { name: 'Close' }));
      expect(await screen.findByText('Leave without saving?')).toBeTruthy();
      await person.click(button('Leave'));
      expect(router.state.location.pathname).toBe('/admin/books');
    });
  });

  it('gives back what was typed when the person had to sign in again', async () => {
    session.begin(USER);
    server.answers['PUT Book/12'] = refused('SessionEnded', 'Your session has ended.');
    const { person, router } = shown('/admin/books/save/12');
    await person.type(await screen.findByDisplayValue('Good Omens'), '!');
    await person.click(button('Save'));
    expect(await screen.findByText('Elsewhere')).toBeTruthy();
    expect(router.state.location.pathname).toBe('/login');
    await waitFor(() => expect(session.current()).toBeNull());
    act(() => session.begin(USER));
    await act(() => router.navigate('/admin/books/save/12'));
    expect(await screen.findByDisplayValue('Good Omens!')).toBeTruthy();
    await act(() => router.navigate('/admin/books'));
    await person.click(button('Leave'));
    await act(() => router.navigate('/admin/books/save/12'));
    expect(await screen.findByDisplayValue('Good Omens')).toBeTruthy();
    session.end();
  });

  describe('the cover', () => {
    it.each([
      [
        'another type',
        () => picture('application/pdf'),
        'The cover must be a picture: JPEG, PNG, WebP, GIF or AVIF.',
      ],
      ['more than 8 MB', () => picture('image/jpeg', 8 * 1024 * 1024 + 1), 'The cover may be at most 8 MB.'],
    ])('refuses %s at once', async (_, file, message) => {
      shown();
      fireEvent.change(field('Cover image'), { target: { files: [file()] } });
      expect(await screen.findByText(message)).toBeTruthy();
      expect(screen.queryByAltText('The chosen cover')).toBeNull();
    });

    it('can be dropped, and taken back', async () => {
      const { person } = shown();
      const place = screen.getByText(/Drop a picture here/);
      fireEvent.drop(place, { dataTransfer: { files: [picture()] } });
      expect(await screen.findByAltText('The chosen cover')).toBeTruthy();
      await person.click(button('Remove'));
      expect(screen.queryByAltText('The chosen cover')).toBeNull();
    });

    // spec 2.33, 9.11
    it('that is saved is shown, and can be taken from the book', async () => {
      server.answers['GET Book/12'] = answered({ ...BOOK, photo: { url: '/api/Book/12/cover' } });
      const { person } = shown('/admin/books/save/12');
      expect((await screen.findByAltText('The cover now')).getAttribute('src')).toBe('/api/Book/12/cover');
      await person.click(button('Remove the picture'));
      expect(screen.queryByAltText('The cover now')).toBeNull();
      await person.click(button('Save'));
      expect(await screen.findByText('Book saved')).toBeTruthy();
      expect(server.asked('PUT Book/12')[0]?.body).toMatchObject({ removeCover: 'true' });
    });
  });
});
