import { jest } from '@jest/globals';
import { act, fireEvent, screen, waitFor, within } from '@testing-library/react';
import type { RulesDraft } from '#contracts/rules/draft-views.js';
import { ruleSetSchema } from '#contracts/rules/rule-set.js';
import type { RulesOverview, RulesVersion } from '#contracts/rules/rule-views.js';
import type { SimulationAnswer, SimulationView } from '#contracts/rules/what-if.js';
import { sees, textsOf } from '../../../../test-support/on-screen.js';
import { asAdmin, showPage, userOf } from '../../../../test-support/screen.js';
import { answered, refused, type Answers } from '../../../../test-support/server.js';
import { ID, OTHER_ID } from '../../../../test-support/views.js';
import { queryKeys } from '../../../domain/query-keys.js';
import { session } from '../../../lib/session.js';
import { WhatIfPage } from './what-if-page.js';

const LATEST = 'GET Rules/what-if';
const ASK = 'POST Rules/what-if';
const TRIAL = `GET Rules/what-if/${ID}`;
const CANCEL = `DELETE Rules/what-if/${ID}`;
const READERS = `GET Rules/what-if/${ID}/readers`;

const rules = ruleSetSchema.parse({
  ...{ loanDays: 14, maxRenewals: 1, renewableDaysBefore: null, finePerBookAndDay: 50, lossPrice: 4_000 },
  ...{ lossFee: 1_000, collectDays: 3, maxBooksPerReader: 5, maxHolds: 5, fineCap: 4_000, graceDays: 0 },
  ...{ undoMinutes: 10, reminderDays: 2, exceptions: [], week: null, closedDays: [] },
});
const simulated = { ...rules, loanDays: 21 };
const version = (over: Partial<RulesVersion> = {}): RulesVersion => ({
  ...{ version: 4, from: null, state: 'current', rules, changedAt: null, changedBy: null, why: null },
  ...{ withdrawnAt: null, withdrawnBy: null },
  ...over,
});
const overview: RulesOverview = {
  ...{ current: version(), versions: [version()], timeZone: 'Europe/Warsaw', startsAfterMinutes: 2 },
};
const draft: RulesDraft = {
  ...{ id: OTHER_ID, name: 'Summer', rules: simulated, from: null, why: '', basedOn: 4, revision: 1 },
  ...{ createdBy: 'Ewa', createdAt: '2026-11-01T10:00:00.000Z', changedBy: 'Ewa' },
  changedAt: '2026-11-01T10:00:00.000Z',
};
const none = { times: 0, readers: 0 };
const answer: SimulationAnswer = {
  ...{ timeZone: 'Europe/Warsaw', events: 1_234, readers: 20 },
  months: [
    {
      ...{ month: '2026-01', real: 5_000, simulated: 2_000 },
      kinds: [{ kind: 'adult', real: 5_000, simulated: 2_000 }],
    },
    {
      ...{ month: '2026-02', real: 1_000, simulated: 1_500 },
      kinds: [
        { kind: 'adult', real: 1_000, simulated: 1_000 },
        { kind: 'child', real: 0, simulated: 500 },
      ],
    },
  ],
  fees: { real: 6_000, simulated: 3_500 },
  kinds: [
    { kind: 'adult', real: 6_000, simulated: 3_000, otherReaders: 3 },
    { kind: 'child', real: 0, simulated: 500, otherReaders: 1 },
    { kind: 'staff', real: 0, simulated: 0, otherReaders: 0 },
  ],
  losses: { real: 4_000, simulated: 4_000 },
  lateReturns: { real: 40, simulated: 22 },
  expiredRents: { real: 6, simulated: 2, cannotBeTold: 4 },
  holds: { ready: 9, real: { mean: 60, median: 48 }, simulated: { mean: 72, median: 48 }, cannotBeTold: 2 },
  limits: { books: none, holds: none, renewals: { times: 7, readers: 5 }, fees: none, readers: 5 },
  ...{ cannotBeTold: ['collect-days'], changedReaders: 4 },
};
const DAYS = { from: '2026-01-01', to: '2026-02-28' };
const simulation = (over: Partial<SimulationView> = {}): SimulationView => ({
  ...{ id: ID, state: 'done', progress: 100, ...DAYS, rules: simulated, failure: null },
  ...{ askedAt: '2026-11-23T08:00:00.000Z', askedBy: 'Ewa', answer },
  ...over,
});
const running = (progress: number) => simulation({ state: 'running', progress, answer: null });
const MARIA = { id: OTHER_ID, fullname: 'Maria', real: 3_000, simulated: 0 };

const shown = (answers: Answers = {}, search = '') =>
  showPage(<WhatIfPage />, `/admin/rules/what-if${search}`, {
    'GET Rules': answered(overview),
    'GET Rules/draft': answered([draft]),
    [LATEST]: answered({ simulation: null }),
    ...answers,
  });
/** The page where this was tried last; those that it changes most are these readers. */
const tried = (last: SimulationView, answers: Answers = {}, items: object[] = [MARIA]) =>
  shown({
    [LATEST]: answered({ simulation: last }),
    [TRIAL]: answered(last),
    [READERS]: answered({ items }),
    ...answers,
  });
const figure = (name: string) => textsOf(document.querySelectorAll(`[data-figure="${name}"] td`));

/** As the browser's own `text()`, which this one's has not. */
function textOf(file: Blob | undefined): Promise<string> {
  return new Promise((resolve) => {
    const reader = new FileReader();
    reader.addEventListener('load', () => resolve(reader.result as string));
    reader.readAsText(file ?? new Blob());
  });
}

describe('what rules would have done', () => {
  asAdmin();

  it('says what is assumed, and what to do where nothing was tried', async () => {
    shown();
    await sees('Nothing tried in the last day', 'People are assumed to have acted as they did:');
  });

  it('tries a draft over the days that are chosen, and shows how far it is until the answer is there', async () => {
    const { server, client, press, address } = shown(
      { [ASK]: answered({ id: ID }), [TRIAL]: answered(running(10)) },
      `?draft=${OTHER_ID}&from=2026-01-01&to=2026-02-28`,
    );
    const difference = () => document.querySelector('[data-difference="Loan days"]')?.textContent;
    await waitFor(() => expect(difference()).toContain('21'));
    await press('Try these rules');
    await sees('10 %');
    expect(server.asked(ASK)[0]?.body).toEqual({ rules: simulated, ...DAYS });
    expect(address()).toContain(`trial=${ID}`);
    server.answers[TRIAL] = answered(simulation());
    await act(() => client.refetchQueries({ queryKey: queryKeys.simulation(ID) }));
    await sees(
      'Late fees would have come to 35.00 PLN instead of 60.00 PLN; 4 of 20 readers would have had different ones.',
    );
    expect(figure('Late fees')).toEqual(['Late fees', '60.00 PLN', '35.00 PLN', '−25.00 PLN (−42 %)']);
    expect(figure('Books that came back late').slice(1)).toEqual(['40', '22', '−18 (−45 %)']);
    expect(figure('Rents that nobody collected in time')[0]).toContain('Of 4 it is not known');
    expect(figure('Wait for a reserved copy, on average').slice(1, 3)).toEqual(['2.5 days', '3.0 days']);
    expect(document.querySelector('[data-limit="renewals"]')?.textContent).toContain('7');
    const untold = document.querySelector('[data-cannot-be-told="collect-days"]');
    expect(untold?.textContent).toContain('More days to collect');
  });

  it('reads the fees month by month, of everybody or of a kind, as a drawing or as a table', async () => {
    const { press } = tried(simulation());
    const months = await screen.findByLabelText('Month');
    expect(months.getAttribute('aria-valuetext')).toBe(
      '2026-01: 50.00 PLN were charged, 20.00 PLN would have been',
    );
    const section = within(screen.getByRole('region', { name: 'Late fees by month' }));
    await press('Child', section);
    await press('Table', section);
    expect(textsOf(section.getAllByRole('row'))).toEqual([
      'MonthWhat happenedUnder these rulesDifference',
      '2026-010.00 PLN0.00 PLNthe same',
      '2026-020.00 PLN5.00 PLN+5.00 PLN',
    ]);
  });

  it('names the readers it changes most to an admin who asks, and to nobody else', async () => {
    const { server, press } = tried(simulation());
    await sees('4 readers would have had different late fees.');
    expect(server.asked(READERS)).toHaveLength(0);
    await press('Name them');
    const maria = await screen.findByRole('link', { name: 'Maria' });
    expect(maria.getAttribute('href')).toBe(`/admin/readers/${OTHER_ID}`);
    act(() => session.begin(userOf('Auditor')));
    await waitFor(() => expect(screen.queryByRole('button', { name: 'Name them' })).toBeNull());
  });

  it('saves every table as a file, and names of readers as texts', async () => {
    const files = new Map<string, Promise<string>>();
    let saved: Blob | undefined;
    URL.createObjectURL = (file) => {
      saved = file as Blob;
      return 'blob:table';
    };
    URL.revokeObjectURL = () => undefined;
    const clicked = jest.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(function (
      this: HTMLAnchorElement,
    ) {
      files.set(this.download, textOf(saved));
    });
    const lossy = simulation({ answer: { ...answer, losses: { real: -4_000, simulated: 250 } } });
    const { person, press } = tried(lossy, {}, [{ ...MARIA, fullname: '=Maria, "Mia"' }]);
    const OF_READERS = { name: 'CSV: Readers with different fees' };
    await sees('4 readers would have had different late fees.');
    expect(screen.queryByRole('button', OF_READERS)).toBeNull();
    await press('Name them');
    await screen.findByRole('button', OF_READERS);
    for (const button of screen.getAllByRole('button', { name: /^CSV: / })) await person.click(button);
    clicked.mockRestore();
    const rowsOf = async (table: string) =>
      (await files.get(`what-if-${table}-2026-01-01-2026-02-28.csv`))?.split('\r\n');
    expect((await rowsOf('fees-by-month'))?.slice(0, 3)).toEqual([
      'month,readers,as_it_was,under_these_rules',
      '2026-01,all,50.00,20.00',
      '2026-01,adult,50.00,20.00',
    ]);
    const figures = await rowsOf('figures');
    expect(figures).toContain('charged_for_lost_and_damaged_books,PLN,-40.00,2.50,');
    expect(figures).toContain('rents_that_nobody_collected,rents,6,2,4');
    expect(figures).toContain('wait_for_a_reserved_copy_mean,hours,60,72,2');
    expect(await rowsOf('limits')).toContain('Any of these,7,5');
    expect(await rowsOf('limits')).toContain('More days to collect,not known,not known');
    expect((await rowsOf('readers'))?.[1]).toBe(`"'=Maria, ""Mia""",30.00,0.00`);
    expect(await rowsOf('rules')).toEqual(['rule,in_force,tried', 'Loan days,14,21', '']);
  });

  it('is printed with every table, and with the readers that are named on the screen alone', async () => {
    const print = jest.fn();
    window.print = print;
    const { press } = tried(simulation());
    const sheet = () => document.querySelector<HTMLElement>('[data-printed]');
    const printed = async () => {
      print.mockClear();
      await press('Print');
      await waitFor(() => expect(print).toHaveBeenCalledTimes(1));
      const text = sheet()?.textContent ?? '';
      act(() => void window.dispatchEvent(new Event('afterprint')));
      expect(sheet()).toBeNull();
      return text;
    };
    const first = await printed();
    for (const told of [
      'From 2026-01-01 to 2026-02-28. Asked for by Ewa on ',
      'Loan days1421',
      '2026-0210.00 PLN15.00 PLN+5.00 PLN (+50 %)',
      'Child0.00 PLN5.00 PLN',
      'Books that came back late4022−18 (−45 %)',
      'used up, too early or too late, or with a fee owed75',
      'Any of these75',
      'More days to collect: not known.',
    ])
      expect(first).toContain(told);
    expect(first).not.toContain('Maria');
    await press('Name them');
    await screen.findByRole('link', { name: 'Maria' });
    expect(await printed()).toContain('Maria30.00 PLN0.00 PLN');
  });

  it('is cancelled, and tried again', async () => {
    const { server, press } = tried(running(30), {
      [CANCEL]: answered(simulation({ state: 'cancelled', answer: null })),
      [ASK]: answered({ id: ID }),
    });
    await press('Cancel');
    await sees('Cancelled. Nothing was changed.');
    await press('Try again');
    await waitFor(() => expect(server.asked(ASK)[0]?.body).toEqual({ rules: simulated, ...DAYS }));
  });

  it('says why it failed, or that nothing happened in the days', async () => {
    const failure = 'The log could not be read.';
    const { unmount } = tried(simulation({ state: 'failed', answer: null, failure }));
    await sees(failure, 'Try again');
    unmount();
    const fees = { real: 0, simulated: 0 };
    tried(simulation({ answer: { ...answer, events: 0, readers: 0, fees, changedReaders: 0 } }));
    await sees('Nothing happened in these days');
  });

  it('says at the fields what is wrong with the rules, and asks for nothing', async () => {
    const { server, press } = shown({
      [ASK]: refused('ValidationFailed', 'Some fields are wrong.', { 'rules.maxHolds': ['Too many.'] }),
    });
    const days = await screen.findByLabelText('Loan days', { selector: 'input' });
    fireEvent.change(days, { target: { value: '0' } });
    await press('Try these rules');
    await sees('At least 1.');
    expect(server.asked(ASK)).toHaveLength(0);
    fireEvent.change(days, { target: { value: '7' } });
    await press('Try these rules');
    await sees('Too many.');
    expect(server.asked(ASK)[0]?.body).toMatchObject({ rules: { loanDays: 7 } });
  });

  it('leads to the trial that is in the way', async () => {
    const { server, press } = shown({
      [ASK]: refused('TrialUnderWay', 'Ewa tries other rules.'),
      [TRIAL]: answered(running(40)),
    });
    await press('Try these rules');
    await sees('Ewa tries other rules.');
    server.answers[LATEST] = answered({ simulation: running(40) });
    await press('Show it');
    await sees('40 %');
  });
});
