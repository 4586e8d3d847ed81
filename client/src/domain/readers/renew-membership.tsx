import * as m from '#words/messages.js';
import { useQueryClient } from '@tanstack/react-query';
import { renewMembership } from '#contracts/accounts/readers.js';
import { DayDialog } from '../../components/dialog/day-dialog.js';
import { Button } from '../../components/form/button.js';
import { useCall } from '../../lib/api/send.js';
import { isoDay } from '../../lib/dates.js';
import { useNow } from '../../lib/use-now.js';
import { invalidate, queryKeys } from '../query-keys.js';

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
  const renew = useCall(renewMembership, {
    meta: { inPlace: true },
    onSuccess: () => {
      invalidate(client, queryKeys.readers, queryKeys.standings);
      onClose();
    },
  });
  const send = (wanted: string | null) => renew.mutate({ query: { id: reader.id }, body: { until: wanted } });
  return (
    <DayDialog
      title={m.readers_membership()}
      lead={
        until === null
          ? m.readers_membership_without_end({ name: reader.fullname })
          : m.readers_membership_until({ name: reader.fullname, day: until })
      }
      label={m.account_member_until()}
      action={m.common_save()}
      day={yearAfter(until, today)}
      earliest={today}
      tooEarly={m.readers_membership_too_early()}
      command={renew}
      onDay={send}
      onClose={onClose}
      more={
        until !== null && (
          <Button onClick={() => !renew.isPending && send(null)}>
            {m.readers_membership_make_endless()}
          </Button>
        )
      }
    />
  );
}
