import type { OpeningHours as Hours } from '#contracts/rules/opening-hours.js';
import { textsOf, screen, within } from '../../test-support/on-screen.js';
import { showPage } from '../../test-support/screen.js';
import { answered } from '../../test-support/server.js';
import { daysAhead, openingNow } from '../domain/opening-hours.js';
import { OpeningHours } from './opening-hours.js';
import { SiteFooter } from './site-footer.js';

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
    const onSaturday = 'Closed for today, open again on Saturday, 2100-11-27 from 10:00';
    expect(openingNow(days, at('18:00'))).toBe(onSaturday);
    expect(openingNow(days.slice(1), at('12:00'))).toBe('Closed today, open again tomorrow from 10:00');
    const closed = closedDay('2100-11-25');
    expect(openingNow([closed, day('2100-11-26')], at('12:00'))).toBe('Closed today, open again tomorrow');
    expect(openingNow([closed], at('12:00'))).toBe('Closed today');
  });
});

describe('the opening hours at the foot of the pages', () => {
  it('are the week from today on, and the closed days to come', async () => {
    const week = Array.from({ length: 14 }, (_, n) => day(`2100-12-${n + 10}`, '09:00'));
    const closed = [{ from: '2100-12-24', to: '2100-12-26' }];
    showPage(<OpeningHours />, '/', {
      'GET Rules/hours': answered({ days: week.with(1, closedDay('2100-12-11')), closed }),
    });
    const hours = within(await screen.findByRole('region', { name: 'Opening hours' }));
    const open = Array.from({ length: 6 }, () => '09:00–18:00');
    expect(textsOf(hours.getAllByRole('definition'))).toEqual(open.toSpliced(1, 0, 'closed'));
    expect(hours.getAllByRole('term')[0]?.textContent).toBe('Friday 2100-12-10');
    expect(textsOf(hours.getAllByRole('listitem'))).toEqual(['Friday, 2100-12-24, to Sunday, 2100-12-26']);
  });

  it('are not there where the rules set none, nor are days that are over', () => {
    const days = [day('2100-11-24', '09:00'), day('2100-11-25', '09:00')];
    expect(daysAhead({ days, closed: [] }, at('00:00'))).toEqual(days.slice(1));
    expect(daysAhead({ days: [day('2100-11-25')], closed: [] }, at('12:00'))).toEqual([]);
  });
});

describe('the foot of the pages of readers', () => {
  const shown = (at: string) =>
    showPage(<SiteFooter />, at, { 'GET Rules/hours': answered({ days: [], closed: [] }) });
  const rules = () => screen.getByText('Usage rules').closest('details');

  it('has the rules of the house, whole on the home page and folded on the others', () => {
    shown('/');
    expect(rules()?.open).toBe(true);
    expect(rules()?.querySelectorAll('li')).toHaveLength(8);
  });

  it('is folded elsewhere, and says how the library is reached', () => {
    const meta = document.createElement('meta');
    meta.name = 'lectern-contact';
    meta.content = 'Long Street 1, desk@library.example.';
    document.head.append(meta);
    shown('/catalog');
    expect(rules()?.open).toBe(false);
    const link = screen.getByRole('link', { name: 'desk@library.example' });
    expect(link.getAttribute('href')).toBe('mailto:desk@library.example');
    meta.remove();
  });
});
