import { act, fireEvent, screen, waitFor, within } from '@testing-library/react';
import type { RulesDraft } from '#contracts/rules/draft-views.js';
import type { RulesOverview, RulesVersion } from '#contracts/rules/rule-views.js';
import { BORROW_POLICY } from '#circulation/rules/borrow.policy.js';
import { ruleSetOf } from '#circulation/rules/rule-book.js';
import { openDialog, openQuestion, sees, textsOf } from '../../../test-support/on-screen.js';
import { asAdmin, show, userOf } from '../../../test-support/screen.js';
import { type Answers, answered, refused, serverOf } from '../../../test-support/server.js';
import { ID } from '../../../test-support/views.js';
import { queryKeys } from '../../domain/query-keys.js';
import { session } from '../../lib/session.js';
import { RulesEditorPage } from './editor/rules-editor-page.js';
import { RulesPage } from './rules-page.js';

const RULES = ruleSetOf(BORROW_POLICY);
const version = (number: number, changes: Partial<RulesVersion> = {}): RulesVersion => ({
  ...{ version: number, from: '2026-11-01T09:00:00Z', state: 'past', rules: RULES, why: 'Paper' },
  ...{ changedAt: '2026-11-01T08:00:00Z', changedBy: 'Ewa Lipska', withdrawnAt: null, withdrawnBy: null },
  ...changes,
});
const FIRST = version(4, { from: null, changedAt: null, changedBy: null, why: null });
const FIFTH = version(5, { state: 'current', rules: { ...RULES, finePerBookAndDay: 75 } });
const overviewOf = (...later: RulesVersion[]): RulesOverview => ({
  current: FIFTH,
  versions: [...later, FIFTH, FIRST],
  timeZone: 'UTC',
  startsAfterMinutes: 2,
});
const COMING = version(6, {
  state: 'coming',
  from: '2100-01-01T00:00:00Z',
  why: 'A new year',
  rules: { ...FIFTH.rules, loanDays: 21 },
});
const draftOf = (changes: Partial<RulesDraft> = {}): RulesDraft => ({
  ...{ id: ID, name: 'Summer', rules: { ...FIFTH.rules, maxRenewals: 5 }, from: '2099-07-01' },
  ...{ why: 'Holidays', basedOn: 5, revision: 3, createdBy: 'Jan Nowak', changedBy: 'Ewa Lipska' },
  ...{ createdAt: '2026-11-20T10:00:00Z', changedAt: '2026-11-21T10:00:00Z' },
  ...changes,
});
const DRAFT = `Rules/draft/${ID}`;

const routes = [
  { path: '/admin/rules', element: <RulesPage /> },
  { path: '/admin/rules/edit', element: <RulesEditorPage /> },
  { path: '/audit/rules', element: <RulesPage /> },
];

/** A library whose rules are these, at an address. */
function shown(at: string, answers: Answers = {}) {
  const server = serverOf({
    'GET Rules': answered(overviewOf()),
    'GET Rules/draft': answered([]),
    [`GET ${DRAFT}`]: answered(draftOf()),
    ...answers,
  });
  return { server, ...show(routes, at) };
}

const changesOf = (element: HTMLElement) => textsOf(element.querySelectorAll('[data-difference]'));

asAdmin();

describe('the rules', () => {
  it('says what is in force, with exceptions, hours and closed days', async () => {
    const rules = {
      ...FIFTH.rules,
      exceptions: [{ reader: 'child' as const, book: null, numbers: { maxBooksPerReader: 5 } }],
      week: [...Array.from({ length: 6 }, () => ({ opens: '09:00', closes: '18:00' })), null],
      closedDays: [
        { from: '2020-01-01', to: '2020-01-01' },
        { from: '2099-12-24', to: '2099-12-26' },
      ],
    };
    const overview = { ...overviewOf(), current: { ...FIFTH, rules } };
    shown('/admin/rules', { 'GET Rules': answered(overview) });
    const inForce = await screen.findByRole('region', { name: 'In force' });
    for (const words of [
      'Loan days14 days',
      'Fee a day0.75 PLN',
      'Books at a time10 booksChild5 books',
      'Renewable fromthe first day',
      'Monday to Saturday09:00–18:00Sundayclosed',
      'Closed days2099-12-24 to 2099-12-26',
    ])
      expect(inForce.textContent).toContain(words);
    expect(inForce.textContent).not.toContain('2020');
  });

  it('tells each version, who made it and why, and what it changed', async () => {
    const withdrawn = version(7, {
      ...{ state: 'withdrawn', from: '2099-05-01T00:00:00Z' },
      ...{ withdrawnBy: 'Jan Nowak', withdrawnAt: '2026-11-02T08:00:00Z' },
    });
    shown('/admin/rules', { 'GET Rules': answered(overviewOf(withdrawn, COMING)) });
    const list = await screen.findByRole('region', { name: 'Versions' });
    const [seventh, sixth, fifth, first] = within(list)
      .getAllByRole('listitem')
      .filter((item) => item.dataset.version);
    expect(seventh?.textContent).toMatch(/Withdrawn by Jan Nowak/);
    expect(sixth?.textContent).toMatch(/^Version 6To comeA new year/);
    expect(changesOf(sixth as HTMLElement)).toEqual(['Loan days14 → 21']);
    expect(fifth?.textContent).toMatch(/In force.*Made by Ewa Lipska/);
    expect(changesOf(fifth as HTMLElement)).toEqual(['Fee a day0.50 PLN → 0.75 PLN']);
    expect(first?.textContent).toMatch(/^Version 4Over/);
  });

  it('withdraws what has not begun, and says why it is too late', async () => {
    const { server, press } = shown('/admin/rules', {
      'GET Rules': answered(overviewOf(COMING)),
      'DELETE Rules/6': refused('RulesInForce', 'Version 6 is in force.'),
    });
    const withdraw = async () => {
      await press('Withdraw');
      await press('Withdraw it');
    };
    await withdraw();
    await sees('Version 6 is in force.');
    server.answers['DELETE Rules/6'] = answered(overviewOf({ ...COMING, state: 'withdrawn' }));
    await withdraw();
    await waitFor(() => expect(screen.queryByRole('button', { name: 'Withdraw' })).toBeNull());
    expect(screen.getByText('Version 6 was withdrawn')).toBeTruthy();
  });

  it('says it when another admin changes them', async () => {
    const { server, client, press } = shown('/admin/rules');
    await screen.findByRole('region', { name: 'In force' });
    server.answers['GET Rules'] = answered(overviewOf(COMING));
    await act(() => client.invalidateQueries({ queryKey: queryKeys.rules }));
    await sees(/Ewa Lipska has just made version 6 of the rules/);
    await press('Seen');
    expect(screen.queryByText(/has just made/)).toBeNull();
  });

  it('can be read by auditors, who change nothing', async () => {
    session.begin(userOf('Auditor'));
    shown('/audit/rules', {
      'GET Rules': answered(overviewOf(COMING)),
      'GET Rules/draft': answered([draftOf()]),
    });
    expect(await screen.findByRole('heading', { level: 1, name: 'Rules' })).toBeTruthy();
    await sees('Summer');
    expect(textsOf(screen.getAllByRole('button'))).toEqual(['Show earlier versions']);
    expect(textsOf(screen.getAllByRole('link'))).toEqual(['Back to the readers', 'What if…?']);
  });

  it('lists drafts with what they would change, and deletes one', async () => {
    const { server, press } = shown('/admin/rules', {
      'GET Rules/draft': answered([draftOf()]),
      [`DELETE ${DRAFT}`]: answered([]),
    });
    await sees(/For 2099-07-01 · changes Renewals · saved by Ewa Lipska/);
    await press('Delete the draft: Summer');
    await press('Delete it');
    await waitFor(() => expect(screen.queryByText('Summer')).toBeNull());
    expect(server.asked(`DELETE ${DRAFT}`)).toHaveLength(1);
  });
});

describe('the editor of the rules', () => {
  const field = (name: string) => screen.getByLabelText<HTMLInputElement>(name);
  const type = (name: string, text: string) => fireEvent.change(field(name), { target: { value: text } });
  /** The editor, once it is there; its buttons are looked for where they are, not among the days of the calendar. */
  async function opened(answers: Answers = {}, search = '') {
    const page = shown(`/admin/rules/edit${search}`, answers);
    const panel = await screen.findByRole('region', { name: 'What changes' });
    const button = (name: string) => within(panel).getByRole('button', { name });
    const change = () => page.person.click(button('Change the rules'));
    const pressText = async (text: string) => page.person.click(await screen.findByText(text));
    return { ...page, panel, button, change, pressText, changes: () => changesOf(panel) };
  }
  /** What the server has by now. */
  const refreshed = ({ client }: Pick<Awaited<ReturnType<typeof opened>>, 'client'>) =>
    act(() => client.invalidateQueries({ queryKey: queryKeys.rules }));

  it('tells what changes before it is saved, asks, and sends it all', async () => {
    const { server, button, change, changes, press, address } = await opened({
      'POST Rules': answered(overviewOf(COMING)),
    });
    expect(button('Change the rules')).toHaveProperty('disabled', true);
    type('Loan days', '21');
    type('Cap', '40');
    expect(changes()).toEqual(['Loan days14 → 21', 'Cap50.00 PLN → 40.00 PLN']);
    await change();
    await sees('Give a reason for the change.');
    await waitFor(() => expect(document.activeElement).toBe(field('Why')));
    type('Why', 'Long winter');
    type('From', '2100-01-01');
    await change();
    const question = await screen.findByRole('alertdialog', { name: 'Change the rules on 2100-01-01?' });
    expect(changesOf(question)).toEqual(changes());
    expect(server.asked('POST Rules')).toEqual([]);
    await press('Change the rules', within(question));
    await waitFor(() => expect(address()).toBe('/admin/rules'));
    const rules = { ...FIFTH.rules, loanDays: 21, fineCap: 4_000 };
    expect(server.asked('POST Rules').map(({ body }) => body)).toEqual([
      { rules, from: '2100-01-01', why: 'Long winter', after: 5 },
    ]);
  });

  it('says at each field what is wrong, its own words and the server’s', async () => {
    const { panel, change, press } = await opened({
      'POST Rules': refused('ValidationFailed', 'Some fields are not right.', {
        'rules.loanDays': ['The server does not like it.'],
        why: ['It has seen better reasons.'],
      }),
    });
    type('Loan days', 'many');
    expect(field('Loan days').getAttribute('aria-invalid')).toBe('true');
    expect(screen.getByText('A whole number.')).toBeTruthy();
    expect(within(panel).getByText('One field needs correcting.')).toBeTruthy();
    type('From', '2020-01-01');
    expect(screen.getByText(/Rules cannot apply to the past/)).toBeTruthy();
    type('From', '');
    type('Loan days', '21');
    type('Why', 'Because');
    // Half a day is not yet wrong, but the rules never begin at once by mistake.
    type('From', '2100-0');
    expect(screen.queryByText('Enter a date as yyyy-MM-dd.')).toBeNull();
    await change();
    expect(screen.getByText('Enter a date as yyyy-MM-dd.')).toBeTruthy();
    type('From', '');
    await change();
    await press('Change the rules', await openQuestion('Change the rules now?'));
    await sees('It has seen better reasons.');
    expect(screen.getAllByText('The server does not like it.').length).toBeGreaterThan(0);
    expect(field('Loan days').value).toBe('21');
  });

  it('makes an exception for a kind of reader and of book, of what differs alone', async () => {
    const { person, pressText, changes } = await opened();
    await person.selectOptions(field('For'), 'Child');
    await pressText('Add an exception');
    const children = within(screen.getByRole('region', { name: 'Child' }));
    await person.selectOptions(children.getByLabelText('What differs'), 'Books at a time');
    fireEvent.change(children.getByLabelText('Books at a time'), { target: { value: '5' } });
    expect(changes()).toEqual(['Child: Books at a time10, as usual → 5']);

    await person.selectOptions(field('and'), 'Short loan');
    await pressText('Add an exception');
    const short = within(screen.getByRole('region', { name: 'Short loan' }));
    const possible = within(short.getByLabelText('What differs')).getAllByRole('option');
    // A limit of the reader does not depend on the book.
    expect(textsOf(possible)).not.toContain('Books at a time');
    await person.click(short.getByRole('button', { name: 'Remove the exception: Short loan' }));
    for (const name of ['As for everyone: Books at a time', 'Remove the exception: Child'])
      await person.click(children.getByRole('button', { name }));
    expect(changes()).toEqual([]);
  });

  it('shows earlier versions when they are asked for, and begins a change with one of them', async () => {
    const { server, person, address } = shown('/admin/rules');
    const list = within(await screen.findByRole('region', { name: 'Versions' }));
    const third = version(3, { rules: { ...RULES, loanDays: 30 } });
    server.answers['GET Rules'] = ({ query }) =>
      answered({ ...overviewOf(), versions: query['before'] === '4' ? [third] : [] });
    const more = () => list.queryByRole('button', { name: 'Show earlier versions' });
    await person.click(more() as HTMLElement);
    await list.findByText('Version 3');
    await person.click(more() as HTMLElement);
    await waitFor(() => expect(more()).toBeNull());
    expect(server.asked('GET Rules').map(({ query }) => query['before'])).toEqual([undefined, '4', '3']);
    const links = list.getAllByRole('link', { name: 'Start a change from these rules' });
    await person.click(links.at(-1) as HTMLElement);
    expect(await screen.findByLabelText('Loan days')).toHaveProperty('value', '30');
    expect(address()).toBe('/admin/rules/edit?version=3');
    expect(changesOf(screen.getByRole('region', { name: 'What changes' }))).toEqual([
      ...['Loan days14 → 30', 'Fee a day0.75 PLN → 0.50 PLN'],
    ]);
  });

  it('closes days by mouse and keyboard, singly, as a span, and each of a weekday', async () => {
    const { person, pressText, changes } = await opened();
    const day = (date: string) => document.querySelector(`[data-day="${date}"]`) as HTMLElement;
    const month = document.querySelector<HTMLElement>('[data-day]')?.dataset.day?.slice(0, 7) ?? '';
    expect(day(`${month}-10`).ariaLabel).toMatch(/^10 \w+ \d{4}, \w+day$/);
    await person.click(day(`${month}-10`));
    await person.keyboard('{ArrowRight}{ArrowDown}');
    expect(document.activeElement).toBe(day(`${month}-18`));
    await person.keyboard(' ');
    expect(day(`${month}-18`).ariaPressed).toBe('true');
    await person.keyboard('{Shift>}');
    await person.click(day(`${month}-20`));
    await person.keyboard('{/Shift}');
    expect(changes()).toEqual([`Closed${month}-10, ${month}-18 to ${month}-20`]);
    await person.click(day(`${month}-10`));
    await pressText('Clear all closed days');
    expect(changes()).toEqual([]);

    const many = within(screen.getByRole('group', { name: 'Many days at once' }));
    const close = () => person.click(many.getByText('Close'));
    const fill = (label: string, value: string) =>
      fireEvent.change(many.getByLabelText(label), { target: { value } });
    await close();
    expect(many.getByText('Say the first day.')).toBeTruthy();
    fill('First day', '1.11.2099');
    expect(many.getByText('Enter a date as yyyy-MM-dd.')).toBeTruthy();
    await person.selectOptions(many.getByLabelText('Which days'), 'Every Monday');
    fill('First day', '2099-11-01');
    fill('Last day', '2099-11-15');
    await close();
    expect(changes()).toEqual(['Closed2099-11-02, 2099-11-09']);
  });

  it('says that another admin has changed the rules, keeps what was typed, and goes on from theirs', async () => {
    const editor = await opened();
    const { server, button, pressText, changes } = editor;
    type('Cap', '40');
    const theirs = { ...COMING, from: '2026-11-02T00:00:00Z', state: 'current' as const };
    const versions = [theirs, { ...FIFTH, state: 'past' }, FIRST];
    server.answers['GET Rules'] = answered({ ...overviewOf(), current: theirs, versions });
    await refreshed(editor);
    await sees(/Ewa Lipska has made version 6 of the rules since you began/);
    expect(button('Change the rules')).toHaveProperty('disabled', true);
    expect(changes()).toEqual(['Loan days21 → 14', 'Cap50.00 PLN → 40.00 PLN']);
    await pressText('Apply it');
    expect(field('Loan days').value).toBe('21');
    expect(changes()).toEqual(['Cap50.00 PLN → 40.00 PLN']);
    expect(screen.queryByText(/has made version 6/)).toBeNull();
  });

  it('keeps a draft, which has a name, and goes on with it', async () => {
    const { server, person, pressText, press, address } = await opened({
      'POST Rules/draft': answered(draftOf()),
    });
    type('Renewals', '5');
    await pressText('Keep as a draft');
    const dialog = await openDialog('Keep as a draft');
    await press('Keep it', dialog);
    expect(dialog.getByText('Give it a name.')).toBeTruthy();
    await person.type(dialog.getByLabelText('Name'), 'Summer{Enter}');
    await waitFor(() => expect(address()).toBe(`/admin/rules/edit?draft=${ID}`));
    const rules = { ...FIFTH.rules, maxRenewals: 5 };
    expect(server.asked('POST Rules/draft').map(({ body }) => body)).toEqual([
      { name: 'Summer', rules, from: null, why: '', basedOn: 5 },
    ]);
    expect(await screen.findByLabelText('Name of the draft')).toHaveProperty('value', 'Summer');
  });

  it('saves a draft, says that somebody else did, and puts it in force', async () => {
    const editor = await opened(
      {
        [`PUT ${DRAFT}`]: refused('EditedMeanwhile', 'Jan has saved it.'),
        'POST Rules': answered(overviewOf(COMING)),
      },
      `?draft=${ID}`,
    );
    const { server, pressText, changes } = editor;
    expect([field('From').value, field('Why').value]).toEqual(['2099-07-01', 'Holidays']);
    expect(changes()).toEqual(['Renewals2 → 5']);
    type('Renewals', '6');
    const rules = { ...FIFTH.rules, maxRenewals: 9 };
    const theirs = draftOf({ revision: 4, rules, changedBy: 'Jan Nowak' });
    server.answers[`GET ${DRAFT}`] = answered(theirs);
    await pressText('Save the draft');
    await sees(/Jan Nowak has saved this draft meanwhile/);
    expect(field('Renewals').value).toBe('6');
    await pressText('Keep mine');
    server.answers[`PUT ${DRAFT}`] = answered(draftOf({ revision: 5 }));
    await pressText('Save the draft');
    await sees('Draft saved');
    expect(server.asked(`PUT ${DRAFT}`).map(({ body }) => body)).toMatchObject([
      { revision: 3, rules: { maxRenewals: 6 } },
      { revision: 4, rules: { maxRenewals: 6 } },
    ]);

    server.answers[`GET ${DRAFT}`] = answered({ ...theirs, revision: 6 });
    await refreshed(editor);
    await pressText('Show theirs');
    expect(field('Renewals').value).toBe('9');
    await pressText('Put in force');
    await editor.press('Change the rules', await openQuestion());
    await waitFor(() => expect(server.asked('POST Rules')).toHaveLength(1));
    const body = { draft: ID, from: '2099-07-01', why: 'Holidays', after: 5 };
    expect(server.asked('POST Rules')[0]?.body).toMatchObject(body);
  });

  it('keeps what was typed when the draft is deleted, to be kept as a new one', async () => {
    const editor = await opened({}, `?draft=${ID}`);
    type('Renewals', '6');
    editor.server.answers[`GET ${DRAFT}`] = refused('RulesDraftNotFound', 'There is no such draft.');
    await refreshed(editor);
    await sees(/This draft has been deleted or put in force/);
    expect(field('Renewals').value).toBe('6');
    expect(editor.button('Keep as a draft')).toHaveProperty('disabled', false);
  });
});
