import { act, fireEvent, screen, waitFor, within } from '@testing-library/react';
import { Outlet } from 'react-router-dom';
import { openDialog, openQuestion, sees, textsOf } from '../../../../test-support/on-screen.js';
import { pasteInto } from '../../../../test-support/paste-into.js';
import { asAdmin, show, userOf } from '../../../../test-support/screen.js';
import { answered, refused, serverOf } from '../../../../test-support/server.js';
import { authorView, bookView, publisherView } from '../../../../test-support/views.js';
import { useTrackNavigation } from '../../../lib/router/back-navigation.js';
import { session } from '../../../lib/session.js';
import { BookSavePage } from './book-save-page.js';

const stored = <Item extends object>(item: Item) => ({ ...item, version: 1 });
const AUTHORS = [authorView(1, 'Terry', 'Pratchett'), authorView(2, 'Neil', 'Gaiman')].map(stored);
const GENRES = [
  { id: 1, name: 'Fantasy', description: 'Things that never were.' },
  { id: 2, name: 'Humour', description: 'Things to laugh about.' },
].map(stored);
const PUBLISHERS = [publisherView(1, 'Gollancz'), publisherView(2, 'Corgi')].map(stored);
const BOOK = bookView({
  ...{ id: 12, isbn: '9780575048003', title: 'Good Omens', description: 'The world ends on Saturday.' },
  authors: AUTHORS,
  genres: GENRES.slice(0, 1),
  publisher: PUBLISHERS[0] ?? null,
  ...{ published: '1990-05-01', publicationDate: '1990-05-01', copiesTotal: 3, price: 39.9, version: 5 },
});
const FOUND = {
  ...{ exists: false, id: null, isbn: '9780552131063', title: 'Mort' },
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
  ...{ published: '1987-11-12', language: null },
  asked: [
    { name: 'National Library', outcome: 'timed-out' },
    { name: 'Open Library', outcome: 'found' },
  ],
};
const USER = userOf('Admin');
const BORROW = '0b54c0de-7f2a-4d0e-9d5e-5f8f3c1a2b30';
const copy = (number: number, check: number, more: object = {}) => ({
  ...{ code: `12-${number}-${check}`, bookId: 12, copy: number, state: 'on-shelf' },
  ...{ label: null, shelfMark: null, note: null, borrow: null, ...more },
});
const LENT = copy(2, 1, {
  state: 'lent',
  borrow: {
    ...{ id: BORROW, user: { id: USER.id, fullname: 'Jan Kowalczyk' }, status: 'Issued' },
    ...{ dueDate: '2026-12-04T22:59:59.999Z', isScanned: true },
  },
});
const COPY = copy(1, 4, { shelfMark: 'A 3' });
/** A copy, with what became of it. */
const known = (of: object, more: object = {}) => ({
  ...of,
  book: { id: 12, isbn: BOOK.isbn, title: BOOK.title, authors: [], photo: null },
  ...{ history: [], borrows: [], ...more },
});
/** The answer to the call for a page of copies. */
const copiesOf = (items: object[], totalCount: number, states: object) =>
  answered({ items, totalCount, states: { rented: 0, damaged: 0, withdrawn: 0, ...states } });
const LOOKUP = 'GET BookExternalFetch/fetch-from-external';
const SAVE = 'PUT Book/12';
const EDIT = '/admin/books/save/12';

let server: ReturnType<typeof serverOf>;
beforeEach(() => {
  URL.createObjectURL = () => 'blob:cover';
  URL.revokeObjectURL = () => undefined;
  server = serverOf({
    'GET Author': answered(AUTHORS),
    'GET Genre': answered(GENRES),
    'GET Publisher': answered(PUBLISHERS),
    'GET Book/12': answered(BOOK),
    'GET Book/12/copies': copiesOf([COPY, LENT, copy(3, 7, { state: 'lost' })], 3, {
      ...{ 'on-shelf': 1, lent: 1, lost: 1 },
    }),
    'POST Book': answered({ id: 13, version: 1 }),
    [SAVE]: answered({ id: 12, version: 6 }),
    [LOOKUP]: answered(FOUND),
  });
});

function Frame() {
  useTrackNavigation();
  return <Outlet />;
}

const shown = (address = '/admin/books/save') => {
  const children = [
    { path: '/admin/books/save', element: <BookSavePage /> },
    { path: EDIT.replace('12', ':id'), element: <BookSavePage /> },
    { path: '*', element: <p>Elsewhere</p> },
  ];
  return show([{ element: <Frame />, children }], address);
};

type Person = ReturnType<typeof show>['person'];
const field = (label: string) => screen.getByLabelText(label);
const value = (label: string) => (field(label) as HTMLInputElement).value;
const button = (name: string) => screen.getByRole('button', { name });
const sentTo = (call: string) => server.asked(call).at(-1)?.body as Record<string, unknown>;
const nothingWasSent = () => server.calls.every(({ call }) => call.startsWith('GET'));

const option = (name: string) => screen.findByText(name, { selector: '[role="option"]' });
async function choose(person: Person, list: string, name: string) {
  await pasteInto(person, field(list), name);
  await person.click(await option(name));
}
/** Opens the form of the book, changes its title, and saves it. */
async function changed() {
  const shownForm = shown(EDIT);
  await shownForm.person.type(await screen.findByDisplayValue('Good Omens'), '!');
  await shownForm.press('Save');
  return shownForm;
}
const picture = (type = 'image/png', size = 100) => new File([new Uint8Array(size)], 'cover', { type });

asAdmin();

describe('the book form', () => {
  it('finds each of thousands of authors, also one whose name is part of many others', async () => {
    const all = Array.from({ length: 3_000 }, (_, n) => stored(authorView(n + 10, 'Jan', `Author ${n + 1}`)));
    const jan = { ...stored(authorView(9, '', 'Jan')), fullname: 'Jan' };
    server.answers['GET Author'] = ({ query: { SearchTerm = '', pageSize } }) => {
      const matching = all.filter(({ fullname }) => fullname.includes(SearchTerm));
      return answered((SearchTerm === 'Jan' ? [jan, ...matching] : matching).slice(0, Number(pageSize)));
    };
    const { person } = shown();
    await person.click(field('Authors'));
    const offered = within(screen.getByRole('listbox', { name: 'authors' }));
    await sees('There may be more. Type to narrow the list.');
    expect(offered.getAllByRole('option')).toHaveLength(100);
    await choose(person, 'Authors', 'Jan Author 2999');
    // Enter comes before the answer does, and waits for it.
    await person.keyboard('Jan Author 1999{Enter}');
    expect(screen.getByText('Searching the authors…')).toBeTruthy();
    expect(offered.queryAllByRole('option')).toEqual([]);
    await screen.findByLabelText('Remove Jan Author 1999');
    await person.keyboard('Jan');
    await person.click(await option('Jan'));
    await screen.findByLabelText('Remove Jan');
    // What was searched for once is there at once; nothing is asked letter by letter.
    const terms = server.asked('GET Author').map(({ query }) => query['SearchTerm']);
    expect(terms).toEqual(['', 'Jan Author 2999', 'Jan Author 1999', 'Jan']);
  });

  // spec 4.11
  it('shows everything that is missing when it is saved, submits nothing, and goes to the first', async () => {
    const { press } = shown();
    expect(screen.getByRole('heading', { level: 2 }).textContent).toBe('Add a book');
    expect(screen.queryByText('Title is required.')).toBeNull();
    await press('Save');
    await sees('ISBN is required and must be between 10 and 13 characters.', 'Title is required.');
    await sees('Description is required.', 'At least one author is required.');
    await sees('At least one genre is required.', 'Publication date is required.');
    await sees('Copies available is required and must be at least 1.', 'Publisher is required.');
    expect(document.activeElement).toBe(field('ISBN'));
    expect(nothingWasSent()).toBe(true);
  });

  // spec 5.14, 9.6
  it('asks for 10 to 13 characters and at least one copy', async () => {
    const { person } = shown();
    await person.type(field('ISBN'), '12345');
    await person.type(field('Copies available'), '0');
    await person.tab();
    await sees('ISBN is required and must be between 10 and 13 characters.');
    await sees('Copies available is required and must be at least 1.');
  });

  // spec 2.33, 8.15
  it('sends a new book as a form, once, and goes to the list without asking', async () => {
    const { person, address } = shown();
    await pasteInto(person, field('ISBN'), '978-0-552-13106-3');
    await pasteInto(person, field('Title'), 'Mort');
    await pasteInto(person, field('Description'), 'Death takes an apprentice.');
    await choose(person, 'Authors', 'Terry Pratchett');
    await choose(person, 'Genres', 'Fantasy');
    fireEvent.change(field('Publication date'), { target: { value: '1987-11-12' } });
    await pasteInto(person, field('Copies available'), '4');
    await choose(person, 'Publisher', 'Corgi');
    await person.upload(field('Cover image'), picture());
    expect(screen.getByAltText('The chosen cover').getAttribute('src')).toBe('blob:cover');
    await person.dblClick(button('Save'));
    await sees('Book added');
    await waitFor(() => expect(address()).toBe('/admin/books'));
    expect(server.asked('POST Book')).toHaveLength(1);
    const { bookcover, ...sent } = sentTo('POST Book');
    expect(bookcover).toBeInstanceOf(File);
    expect(sent).toMatchObject({
      ...{ isbn: '9780552131063', title: 'Mort', description: 'Death takes an apprentice.' },
      ...{ publicationDate: '1987-11-12', copiesAvailable: '4' },
      ...{ 'publisher.id': '2', 'authors[0].id': '1', 'genres[0].id': '1' },
    });
    expect(sent).not.toHaveProperty('version');
  });

  it('changes the price of a book that lacks what a new one has to have, and empties nothing', async () => {
    const lacking = { description: '', genres: [], publisher: null, published: null, publicationDate: null };
    server.answers['GET Book/12'] = answered({ ...BOOK, ...lacking });
    const { person, press } = shown(EDIT);
    await person.clear(await screen.findByLabelText('Price'));
    await pasteInto(person, field('Price'), '12.50');
    await person.clear(field('Title'));
    await press('Save');
    await sees('Title is required.');
    expect(screen.queryByText('Description is required.')).toBeNull();
    await pasteInto(person, field('Title'), 'Good Omens');
    await press('Save');
    await sees('Book saved');
    expect(sentTo(SAVE)).toMatchObject({ price: '12.50', description: '', publicationDate: '' });
    expect(Object.keys(sentTo(SAVE)).filter((name) => /^(genres|publisher)/.test(name))).toEqual([]);
  });

  // spec 2.35
  it('updates the book of its address, with its version and the copies it was opened with', async () => {
    const { person, press, router, address } = shown('/admin/books?q=omens&page=2');
    await act(() => router.navigate(EDIT));
    expect((await screen.findByRole('heading', { level: 2 })).textContent).toBe('Edit book');
    await screen.findByDisplayValue('Good Omens');
    await person.clear(field('Copies available'));
    await person.type(field('Copies available'), '6');
    await person.selectOptions(field('Lending'), 'Reading room only');
    await person.selectOptions(field('Language'), 'Polish');
    expect(screen.getByText(/^Cannot be rented, lent or reserved\./)).toBeTruthy();
    await press('Save');
    await sees('Book saved');
    // The list as it was left.
    await waitFor(() => expect(address()).toBe('/admin/books?q=omens&page=2'));
    expect(sentTo(SAVE)).toMatchObject({
      ...{ version: '5', price: '39.90', kind: 'reading-room', language: 'pl' },
      ...{ copiesBefore: '2', copiesAvailable: '6', 'authors[0].id': '1', 'authors[1].id': '2' },
    });
  });

  it('asks for the series of a volume, and allows no copies where there were none', async () => {
    server.answers['GET Book/12'] = answered({ ...BOOK, copiesAvailable: 0 });
    const { person, press } = shown(EDIT);
    await person.type(await screen.findByLabelText('Volume'), '2');
    await press('Save');
    await sees('Enter the series this volume belongs to.');
    await pasteInto(person, field('Series'), 'Discworld');
    await press('Save');
    await sees('Book saved');
    expect(sentTo(SAVE)).toMatchObject({ series: 'Discworld', volume: '2' });
    expect(sentTo(SAVE)).toMatchObject({ copiesAvailable: '0', copiesBefore: '0' });
  });

  it('takes an unknown book for not found', async () => {
    server.answers['GET Book/99'] = refused('BookNotFound', 'This book is not in the catalogue.');
    const { address } = shown('/admin/books/save/99');
    await waitFor(() => expect(address()).toBe('/not-found'));
  });

  // spec 8.14
  it('can be asked for again when it could not be loaded', async () => {
    server.answers['GET Book/12'] = refused('DatabaseUnavailable', 'The database does not answer.');
    const { press } = shown(EDIT);
    await sees('The database does not answer.');
    server.answers['GET Book/12'] = answered(BOOK);
    await press('Retry');
    expect(await screen.findByDisplayValue('Good Omens')).toBeTruthy();
  });

  // spec 2.34
  it('selects a new genre beside the others, and a new publisher in place of the one before', async () => {
    server.answers['POST Genre/add'] = answered(stored({ id: 8, name: 'Satire', description: 'Sharp.' }));
    server.answers['POST Publisher/add'] = answered(stored(publisherView(8, 'Ace')));
    const { person, press } = shown(EDIT);
    const add = async (noun: string, labels: string[]) => {
      await press(`+ New ${noun}`);
      const dialog = await openDialog();
      for (const label of labels) await pasteInto(person, dialog.getByLabelText(label), 'Sharp and funny.');
      await press(`Add ${noun}`, dialog);
    };
    await add('genre', ['Name', 'Description']);
    await screen.findByRole('button', { name: 'Remove Satire' });
    expect(button('Remove Fantasy')).toBeTruthy();
    await add('publisher', ['Name', 'Address', 'Phone', 'Website']);
    await screen.findByRole('button', { name: 'Remove Ace' });
    expect(screen.queryByRole('button', { name: 'Remove Gollancz' })).toBeNull();
  });
});

describe('the copies of a book', () => {
  it('are shown with what each allows, which is done once it was asked', async () => {
    const sentence = 'The copy 12-1-4 cannot be marked lost.';
    server.answers['POST Copy/12-1-4/lost'] = refused('CopyNotOnShelf', sentence);
    server.answers['POST Copy/12-3-7/found'] = answered(known({ ...COPY, code: '12-3-7' }));
    const { press } = shown(EDIT);
    await sees('1 of 2 on the shelf, 1 lost');
    const lent = within(screen.getByRole('row', { name: /12-2-1/ }));
    expect(lent.getByText(/Jan Kowalczyk/)).toBeTruthy();
    expect(textsOf(lent.getAllByRole('button'))).toEqual(['Edit', 'History']);
    await press('Lost: copy 12-1-4');
    await press('Cancel', await openQuestion());
    expect(server.asked('POST Copy/12-1-4/lost')).toHaveLength(0);
    await press('Lost: copy 12-1-4');
    await press('Yes, it is lost', await openQuestion());
    await sees(sentence);
    await press('Found: copy 12-3-7');
    await sees('Copy 12-3-7 is on the shelf again');
  });

  it('are shown page by page, and all of them are counted', async () => {
    server.answers['GET Book/12/copies'] = ({ query: { pageNumber } }) =>
      copiesOf([pageNumber === '2' ? copy(21, 9) : COPY], 45, {
        ...{ 'on-shelf': 40, rented: 1, lent: 3, lost: 1 },
      });
    const { press } = shown(EDIT);
    await sees('40 of 44 on the shelf, 1 lost');
    await press('Page 2', within(screen.getByRole('navigation', { name: 'Pages of copies' })));
    await screen.findByRole('button', { name: 'Edit copy 12-21-9' });
    const asked = server.asked('GET Book/12/copies').map(({ query }) => query);
    expect(asked).toEqual(['1', '2'].map((pageNumber) => ({ pageNumber, pageSize: '20' })));
  });

  it('have each a history with who had it, which leads to their borrow', async () => {
    const [issueDate, returnDate] = ['2026-10-01T10:00:00.000Z', '2026-11-03T10:00:00.000Z'];
    const moved = { type: 'CopyMoved', at: '2026-11-02T10:00:00.000Z', by: 'Zofia Lis', shelfMark: 'B 2' };
    const borrow = { borrowId: BORROW, user: { id: USER.id, fullname: 'Jan Kowalczyk' } };
    server.answers['GET Copy/12-2-1'] = answered(
      known(LENT, { history: [moved], borrows: [{ ...borrow, issueDate, returnDate }] }),
    );
    const { router, press, person } = shown(EDIT);
    await press('History of copy 12-2-1');
    await sees('Moved');
    const dialog = await openDialog();
    expect(textsOf(dialog.getAllByRole('listitem'))).toEqual([
      expect.stringMatching(/^Back from Jan Kowalczyk2026-11-03/),
      expect.stringMatching(/^Moved, to B 2, by Zofia Lis2026-11-02/),
      expect.stringMatching(/^Lent to Jan Kowalczyk2026-10-01/),
    ]);
    await person.click(dialog.getByRole('link', { name: 'Lent to Jan Kowalczyk' }));
    expect(router.state.location.search).toBe(`?borrow=${BORROW}`);
  });

  it('are added, and it is written down where one stands', async () => {
    server.answers['POST Copy'] = answered(known({ ...COPY, code: '12-4-0', copy: 4 }));
    server.answers['PUT Copy/12-1-4'] = answered(known(COPY));
    const { person, press } = shown(EDIT);
    await press('Edit copy 12-1-4');
    const dialog = await openDialog();
    const mark = dialog.getByLabelText('Shelf mark');
    await person.clear(mark);
    await person.type(mark, '!');
    await pasteInto(person, field('Note'), 'Signed');
    await press('Save', dialog);
    expect(await dialog.findByText(/A shelf mark has at most 40/)).toBeTruthy();
    await person.clear(mark);
    await person.type(mark, 'B 1');
    await press('Save', dialog);
    await sees('Copy 12-1-4 saved');
    expect(sentTo('PUT Copy/12-1-4')).toEqual({ shelfMark: 'B 1', note: 'Signed' });
    await press('Add a copy');
    await sees('Copy 12-4-0 added');
    expect(sentTo('POST Copy')).toEqual({ bookId: 12 });
  });
});

describe('finding details by ISBN', () => {
  const lookUp = async (title?: string) => {
    const shownForm = shown();
    await pasteInto(shownForm.person, field('ISBN'), '9780552131063');
    if (title !== undefined) await pasteInto(shownForm.person, field('Title'), title);
    await shownForm.press('Fetch details');
    return shownForm;
  };

  // spec 5.15, 8.19
  it('needs an ISBN', async () => {
    const { press } = shown();
    await press('Fetch details');
    await sees('Please enter an ISBN first.');
    expect(server.asked(LOOKUP)).toHaveLength(0);
  });

  // spec 4.10
  it('fills the form, and offers to add the names that the catalogue does not know', async () => {
    server.answers['POST Author/add'] = ({ body }) =>
      answered(stored({ ...(body as object), id: 9, fullname: 'Josh Kirby' }));
    const { person, press } = await lookUp();
    await sees('Book details fetched');
    expect(server.asked(LOOKUP)[0]?.query).toEqual({ isbn: '9780552131063' });
    expect([value('Title'), value('Publication date')]).toEqual(['Mort', '1987-11-12']);
    for (const name of ['Remove Terry Pratchett', 'Remove Fantasy', 'Add Satire', 'Add Transworld'])
      expect(button(name)).toBeTruthy();
    await press('Add Josh Kirby');
    const dialog = await openDialog('Add author');
    expect(dialog.getByLabelText('Last name')).toHaveProperty('value', 'Kirby');
    await pasteInto(person, dialog.getByLabelText('Nationality'), 'British');
    await pasteInto(person, dialog.getByLabelText('Biography'), 'Painted the covers.');
    await press('Add author', dialog);
    await sees('Author added');
    await screen.findByRole('button', { name: 'Remove Josh Kirby' });
    expect(screen.queryByRole('button', { name: 'Add Josh Kirby' })).toBeNull();
    expect(server.asked('POST Book')).toHaveLength(0);
  });

  it('says who answered, and offers each field beside what the form has, one by one', async () => {
    const { person, press } = shown();
    await pasteInto(person, field('Title'), 'Mort (Discworld)');
    await choose(person, 'Publisher', 'Corgi');
    await pasteInto(person, field('ISBN'), '9780552131063');
    await person.keyboard('{Enter}');
    const found = within(await screen.findByRole('region', { name: 'Details found' }));
    const answer = 'National Library did not answer in time. Open Library answered.';
    expect(found.getByRole('status').textContent).toBe(answer);
    expect(found.getByText('In the form: Mort (Discworld)')).toBeTruthy();
    expect(found.getByText('In the form: Corgi')).toBeTruthy();

    await press('Take: description', found);
    // Nothing else was taken by itself.
    expect([value('Title'), value('Description')]).toEqual(['Mort (Discworld)', FOUND.description]);
    expect(found.getByRole('button', { name: 'Taken: description' })).toBe(document.activeElement);
    expect(screen.queryByRole('button', { name: 'Add Satire' })).toBeNull();

    await press('Take all that are empty in the form', found);
    expect([value('Title'), value('Publication date')]).toEqual(['Mort (Discworld)', '1987-11-12']);
    for (const name of ['Remove Terry Pratchett', 'Add Josh Kirby', 'Add Satire', 'Remove Corgi'])
      expect(button(name)).toBeTruthy();
    expect(screen.queryByRole('button', { name: 'Add Transworld' })).toBeNull();
    expect(found.queryByRole('button', { name: /^Take all/ })).toBeNull();

    await press('Take: title', found);
    expect(value('Title')).toBe('Mort');
    // What is changed afterwards can be taken again.
    await person.type(field('Title'), '!');
    expect(found.getByText('In the form: Mort!')).toBeTruthy();
    expect(found.getByRole('button', { name: 'Take: title' })).toBeTruthy();
  });

  // spec 4.10
  it('goes to the form of a book that the catalogue has', async () => {
    server.answers[LOOKUP] = answered({ ...FOUND, exists: true, id: 12 });
    const { address } = await lookUp();
    await waitFor(() => expect(address()).toBe(EDIT));
    await screen.findByDisplayValue('Good Omens');
    expect(screen.getByRole('heading', { level: 2 }).textContent).toBe('Edit book');
  });

  it('asks before it leaves more than an ISBN behind', async () => {
    server.answers[LOOKUP] = answered({ ...FOUND, exists: true, id: 12 });
    const { press, address } = await lookUp('Mine');
    await press('Stay', await openQuestion());
    expect([address(), value('Title')]).toEqual(['/admin/books/save', 'Mine']);
  });

  it.each([
    ['ExternalBookNotFound', 'Nobody knows this ISBN.'],
    ['ExternalServiceUnavailable', 'The services do not answer.'],
  ] as const)('says in its place what happened: %s', async (code, sentence) => {
    server.answers[LOOKUP] = refused(code, sentence);
    await lookUp('Kept');
    expect((await screen.findByText(sentence)).closest('[role=alert]')).toBeTruthy();
    expect(value('Title')).toBe('Kept');
  });
});

describe('a refusal', () => {
  // spec 8.14
  it('stays on the form as a message, with everything typed', async () => {
    server.answers[SAVE] = refused('DatabaseUnavailable', 'The database does not answer.');
    const { press, address } = await changed();
    await sees('The database does not answer.');
    expect([address(), value('Title')]).toEqual([EDIT, 'Good Omens!']);
    server.answers[SAVE] = answered({ id: 12, version: 6 });
    await press('Save');
    await sees('Book saved');
  });

  it('of a field, and of an ISBN that another book has, is shown under it', async () => {
    const errors = { description: ['At most 20000 characters.'], bookcover: ['This is no picture.'] };
    server.answers[SAVE] = refused('ValidationFailed', 'Please check the fields.', errors);
    const { press } = await changed();
    await sees('At most 20000 characters.', 'This is no picture.');
    expect(document.activeElement).toBe(field('Description'));
    server.answers[SAVE] = refused('IsbnTaken', 'The ISBN is in the catalogue already.');
    await press('Save');
    await sees('The ISBN is in the catalogue already.');
    expect(document.activeElement).toBe(field('ISBN'));
  });

  it('of a doubtful ISBN asks whether it is printed so, and saves it then', async () => {
    server.answers[SAVE] = ({ body }) =>
      (body as Record<string, string>).isbnConfirmed === 'true'
        ? answered({ id: 12, version: 6 })
        : refused('IsbnDoubtful', 'The check digit is wrong.');
    const { press } = await changed();
    const question = await openQuestion('Is this ISBN really printed in the book?');
    expect(question.getByText('The check digit is wrong.')).toBeTruthy();
    await press('No, correct it');
    await waitFor(() => expect(document.activeElement).toBe(field('ISBN')));
    await press('Save');
    await press('Yes, save it');
    await sees('Book saved');
    expect(server.asked(SAVE)).toHaveLength(3);
  });

  it('of an outdated version offers the newer one, and keeps what was changed here', async () => {
    server.answers[SAVE] = refused('EditedMeanwhile', 'Somebody else has changed this book.');
    const { press } = await changed();
    await sees(/Somebody else has changed this book\./);
    const newer = { ...BOOK, version: 7, copiesAvailable: 1, title: 'Good Omens (2nd)' };
    server.answers['GET Book/12'] = answered(newer);
    await press('Load the newer version');
    await sees(/Your changes are kept: title\./);
    expect([value('Title'), value('Copies available')]).toEqual(['Good Omens!', '1']);
    server.answers[SAVE] = answered({ id: 12, version: 8 });
    await press('Save');
    await sees('Book saved');
    expect(sentTo(SAVE)).toMatchObject({ version: '7', copiesBefore: '1' });
  });
});

describe('leaving', () => {
  // spec 2.35
  it('goes to the list at once where nothing was changed, and asks where something was', async () => {
    const { person, press, router } = shown(EDIT);
    const path = () => router.state.location.pathname;
    const close = () => person.click(screen.getByRole('link', { name: 'Close' }));
    await screen.findByDisplayValue('Good Omens');
    await close();
    expect(path()).toBe('/admin/books');
    await act(() => router.navigate(EDIT));
    await person.type(await screen.findByDisplayValue('Good Omens'), '!');
    await close();
    await press('Leave', await openQuestion('Leave without saving?'));
    expect(path()).toBe('/admin/books');
  });

  it('gives back what was typed when the person had to sign in again', async () => {
    server.answers[SAVE] = refused('SessionEnded', 'Your session has ended.');
    const { press, router, address } = await changed();
    await sees('Elsewhere');
    expect(address()).toBe('/login');
    await waitFor(() => expect(session.current()).toBeNull());
    act(() => session.begin(USER));
    await act(() => router.navigate(EDIT));
    expect(await screen.findByDisplayValue('Good Omens!')).toBeTruthy();
    await act(() => router.navigate('/admin/books'));
    await press('Leave');
    await act(() => router.navigate(EDIT));
    expect(await screen.findByDisplayValue('Good Omens')).toBeTruthy();
  });
});

describe('the cover', () => {
  it('is refused at once where it is of another type or too large; one that is dropped can be taken back', async () => {
    const { press } = shown();
    const chosen = () => screen.queryByAltText('The chosen cover');
    for (const [file, message] of [
      [picture('application/pdf'), 'The cover must be a picture: JPEG, PNG, WebP, GIF or AVIF.'],
      [picture('image/jpeg', 8 * 1024 * 1024 + 1), 'The cover may be at most 8 MB.'],
    ] as const) {
      fireEvent.change(field('Cover image'), { target: { files: [file] } });
      await sees(message);
      expect(chosen()).toBeNull();
    }
    fireEvent.drop(screen.getByText(/Drop a picture here/), { dataTransfer: { files: [picture()] } });
    await waitFor(() => expect(chosen()).not.toBeNull());
    await press('Remove');
    expect(chosen()).toBeNull();
  });

  // spec 2.33, 9.11
  it('that is saved is shown, and can be taken from the book', async () => {
    server.answers['GET Book/12'] = answered({ ...BOOK, photo: { url: '/api/Book/12/cover' } });
    const { press } = shown(EDIT);
    expect((await screen.findByAltText('The cover now')).getAttribute('src')).toBe('/api/Book/12/cover');
    await press('Remove the picture');
    expect(screen.queryByAltText('The cover now')).toBeNull();
    await press('Save');
    await sees('Book saved');
    expect(sentTo(SAVE)).toMatchObject({ removeCover: 'true' });
  });
});
