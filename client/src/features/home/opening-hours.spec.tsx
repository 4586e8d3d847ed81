import { screen, within } from '@testing-library/react';
import type { OpeningHours as Hours } from '#contracts/rules/opening-hours.js';
import { serverOf, show } from '../../../test-support/screen.js';
import { daysAhead, openingNow } from '../../domain/opening-hours.js';
import { OpeningHours } from './opening-hours.js';

const day = (day: string, opens?: string, closes = '18:00'): Hours['days'][number] => ({
  day,
  isOpen: true,
  hours: opens === undefined ? null : { opens, closes },
});
const closedDay = (day: string) => ({ day, isOpen: false, hours: null });
/** By the clock of the machine, which is the library's where no server says another. */
const at = (time: string) => new Date(`2100-11-25T${time}:00`).getTime();

describe('how it is now', () => {
  const days = [day('2100-11-25', '09:00'), closedDay('2100-11-26'), day('2100-11-27', '10:00')];

  it('is open until it closes, and before that from when it opens', () => {
    expect(openingNow(days, at('08:59'))).toBe('Open today from 09:00 to 18:00');
    expect(openingNow(days, at('09:00'))).toBe('Open today until 18:00');
    expect(openingNow([day('2100-11-25')], at('03:00'))).toBe('Open today');
  });

  it('is closed until the next day on which it is open', () => {
    expect(openingNow(days, at('18:00'))).toBe(
      'Closed by now, open again on Saturday, 2100-11-27 from 10:00',
    );
    expect(openingNow(days.slice(1), at('12:00'))).toBe('Closed today, open again tomorrow from 10:00');
    expect(openingNow([closedDay('2100-11-25'), day('2100-11-26')], at('12:00'))).toBe(
      'Closed today, open again tomorrow',
    );
    expect(openingNow([closedDay('2100-11-25')], at('12:00'))).toBe('Closed today');
  });
});

describe('the opening hours on the home page', () => {
  const shown = (hours: Hours) => {
    serverOf({ 'GET Rules/hours': [200, hours] });
    return show([{ path: '/', element: <OpeningHours /> }], '/');
  };

  it('are the week from today on, and the closed days to come', async () => {
    const week = Array.from({ length: 14 }, (_, n) => day(`2100-12-${n + 10}`, '09:00'));
    shown({
      days: week.with(1, closedDay('2100-12-11')),
      closed: [{ from: '2100-12-24', to: '2100-12-26' }],
    });
    const hours = within(await screen.findByRole('region', { name: 'Opening hours' }));
    expect(hours.getAllByRole('definition').map(({ textContent }) => textContent)).toEqual([
      '09:00–18:00',
      'closed',
      ...Array.from({ length: 5 }, () => '09:00–18:00'),
    ]);
    expect(hours.getAllByRole('term')[0]?.textContent).toBe('Friday 2100-12-10');
    expect(hours.getAllByRole('listitem').map(({ textContent }) => textContent)).toEqual([
      'Friday, 2100-12-24, to Sunday, 2100-12-26',
    ]);
  });

  it('are not there where the rules set none, nor are days that are over', () => {
    const days = [day('2100-11-24', '09:00'), day('2100-11-25', '09:00')];
    expect(daysAhead({ days, closed: [] }, at('00:00'))).toEqual(days.slice(1));
    expect(daysAhead({ days: [day('2100-11-25')], closed: [] }, at('12:00'))).toEqual([]);
  });
});
