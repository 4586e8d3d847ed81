import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { renewMembership } from '#contracts/accounts/readers.js';
import { isDay, NOT_A_DAY } from '#contracts/local-day.js';
import { CommandDialog } from '../../components/dialog/dialog.js';
import { Button } from '../../components/form/button.js';
import { DateInput } from '../../components/form/date-input.js';
import { Field } from '../../components/form/field.js';
import { useCall } from '../../lib/api/send.js';
import { isoDay } from '../../lib/dates.js';
import { useNow } from '../../lib/use-now.js';
import { queryKeys } from '../query-keys.js';

interface RenewMembershipProps {
  reader: { id: string; fullname: string };
  /** The last day of the membership as it is; null where it has no end. */
  until: string | null;
  onClose: () => void;
}

/** A year after the membership ends, or after today where it is over. */
function yearAfter(until: string | null, today: string): string {
  const from = until !== null && until > today ? until : today;
  const [year = '', ...rest] = from.split('-');
  // There is no 29th of February a year later.
  return [String(Number(year) + 1), ...rest].join('-').replace(/-02-29$/, '-02-28');
}

/** Says until when somebody is a member. */
export function RenewMembership({ reader, until, onClose }: RenewMembershipProps) {
  const client = useQueryClient();
  const today = isoDay(useNow(true));
  const [day, setDay] = useState(() => yearAfter(until, today));
  const [wrong, setWrong] = useState<string>();
  const renew = useCall(renewMembership, {
    meta: { inPlace: true },
    onSuccess: () => {
      for (const queryKey of [queryKeys.readers, queryKeys.standings])
        void client.invalidateQueries({ queryKey });
      onClose();
    },
  });
  const submit = () => {
    if (!isDay(day)) return setWrong(NOT_A_DAY);
    if (day < today) return setWrong('Choose today or later.');
    send(day);
  };
  const send = (wanted: string | null) => renew.mutate({ query: { id: reader.id }, body: { until: wanted } });
  return (
    <CommandDialog
      title="Membership"
      lead={`${reader.fullname}: ${until === null ? 'the membership has no end.' : `member until ${until}.`}`}
      action="Save"
      command={renew}
      onSubmit={submit}
      onClose={onClose}
      more={until !== null && <Button onClick={() => !renew.isPending && send(null)}>Without an end</Button>}
    >
      <Field label="Member until" errors={[wrong]}>
        {(control) => (
          <DateInput
            {...control}
            min={today}
            value={day}
            onChange={({ target }) => {
              setDay(target.value);
              setWrong(undefined);
            }}
          />
        )}
      </Field>
    </CommandDialog>
  );
}
