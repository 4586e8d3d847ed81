import { jest } from '@jest/globals';
import { fireEvent, screen, waitFor } from '@testing-library/react';
import { zodResolver } from '@hookform/resolvers/zod';
import type { userEvent } from '@testing-library/user-event';
import { useForm } from 'react-hook-form';
import { z } from 'zod';
import { personalDetailsSchema } from '#contracts/accounts/account-requests.js';
import { sees, openDialog } from '../../test-support/on-screen.js';
import { pasteInto } from '../../test-support/paste-into.js';
import { showPage } from '../../test-support/screen.js';
import { answered } from '../../test-support/server.js';
import { ID, readerOf } from '../../test-support/views.js';
import { Form, TextField } from '../components/form/form.js';
import { RenewMembership } from './readers/renew-membership.js';
import { SpanTools } from './span-tools.js';

const NO_DAY = 'Enter a date as yyyy-MM-dd.';
const input = (label: string) => screen.getByLabelText<HTMLInputElement>(label);

async function retype(person: ReturnType<typeof userEvent.setup>, label: string, text: string) {
  await person.clear(input(label));
  await person.type(input(label), text);
}

describe('a date in a form', () => {
  const schema = z.object({ day: personalDetailsSchema.shape.dateOfBirth });
  function Born({ onSubmit }: { onSubmit: (values: { day: string }) => void }) {
    const form = useForm({ resolver: zodResolver(schema), mode: 'onTouched', defaultValues: { day: '' } });
    return (
      <Form form={form} onSubmit={onSubmit}>
        <TextField<{ day: string }> name="day" label="Born" type="date" max="2020-01-01" />
        <button type="submit">Save</button>
      </Form>
    );
  }
  function shown() {
    const onSubmit = jest.fn();
    const { person, press, container } = showPage(<Born onSubmit={onSubmit} />, '/');
    const calendar = container.querySelector<HTMLInputElement>('input[type="date"]');
    if (!calendar) throw new Error('There is no calendar.');
    return { person, press, onSubmit, calendar };
  }

  it.each([
    ['typed', '1994-03-08'],
    ['typed on a keypad of digits', '19940308'],
    ['typed with strokes', '1994/03/08'],
    ['pasted, with blanks around it', '\t1994.03.08 '],
  ])('may be %s', async (how, text) => {
    const { person, onSubmit } = shown();
    if (how.startsWith('typed')) await person.type(input('Born'), text);
    else await pasteInto(person, input('Born'), text);
    await person.keyboard('{Enter}');
    await waitFor(() => expect(onSubmit.mock.calls[0]?.[0]).toEqual({ day: '1994-03-08' }));
    expect(input('Born').value).toBe('1994-03-08');
  });

  it('is nothing else: what it should be is said', async () => {
    const { person, onSubmit } = shown();
    expect(input('Born').placeholder).toBe('yyyy-MM-dd');
    for (const text of ['8.3.1994', '1994-02-30', '1994-03', 'spring']) {
      await person.type(input('Born'), text);
      await person.tab();
      await sees(NO_DAY);
      expect(input('Born').value).toBe(text);
      expect(input('Born').getAttribute('aria-invalid')).toBe('true');
      await person.clear(input('Born'));
      await sees('Date of birth is required');
    }
    await person.type(input('Born'), '{Enter}');
    expect(onSubmit).not.toHaveBeenCalled();
  });

  it('is picked from the calendar, which a key opens too, at the day that is typed', async () => {
    const { person, press, onSubmit, calendar } = shown();
    expect(calendar.max).toBe('2020-01-01');
    const openedAt: string[] = [];
    calendar.showPicker = () => void openedAt.push(calendar.value);
    await person.type(input('Born'), '1994');
    await person.tab();
    expect(document.activeElement).toBe(screen.getByRole('button', { name: 'Open the calendar' }));
    await person.keyboard('{Enter}');
    await retype(person, 'Born', '1994-03-08');
    await press('Open the calendar');
    expect(openedAt).toEqual(['', '1994-03-08']);
    fireEvent.input(calendar, { target: { value: '1994-04-01' } });
    expect(input('Born').value).toBe('1994-04-01');
    expect(document.activeElement).toBe(input('Born'));
    await person.keyboard('{Enter}');
    await waitFor(() => expect(onSubmit.mock.calls[0]?.[0]).toEqual({ day: '1994-04-01' }));
  });
});

describe('a date that is asked for alone', () => {
  it('ends a membership on a day from today on, and on nothing else', async () => {
    const anna = { id: ID, fullname: 'Anna Nowak' };
    const { server, person, press } = showPage(
      <RenewMembership reader={anna} until={null} onClose={jest.fn()} />,
      '/',
      { 'PUT User/membership': answered(readerOf()) },
    );
    const dialog = await openDialog();
    for (const [text, message] of [
      ['next year', NO_DAY],
      ['2020-01-31', 'Choose today or later.'],
    ] as const) {
      await retype(person, 'Member until', text);
      await press('Save', dialog);
      expect(dialog.getByText(message)).toBeTruthy();
    }
    expect(server.calls).toEqual([]);
    await retype(person, 'Member until', '2099-01-31');
    await press('Save', dialog);
    expect(server.asked('PUT User/membership').map(({ body }) => body)).toEqual([{ until: '2099-01-31' }]);
  });

  it('is an end of a span once it is whole; what is none is kept, and said', async () => {
    const onChange = jest.fn();
    const span = { from: '2026-11-01', to: '2026-11-30' };
    const { person } = showPage(<SpanTools {...{ span, onChange }} spans={[]} />, '/');
    await retype(person, 'From', '2026-1');
    expect(screen.queryByRole('alert')).toBeNull();
    await person.tab();
    expect(screen.getByRole('alert').textContent).toBe(NO_DAY);
    await retype(person, 'From', '1066-10-14');
    await person.tab();
    expect(screen.getByRole('alert').textContent).toBe('Choose a day from 1970-01-01 to 2999-12-31.');
    expect(onChange).not.toHaveBeenCalled();
    await retype(person, 'From', '20261115');
    expect(onChange.mock.calls).toEqual([[{ from: '2026-11-15', to: '2026-11-30' }]]);
  });
});
