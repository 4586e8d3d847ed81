import { useQuery } from '@tanstack/react-query';
import LogIn from 'lucide-react/icons/log-in';
import { beginSignOn, listSignOns } from '#contracts/accounts/sign-on.js';
import * as m from '#words/messages.js';
import { Notice } from '../../components/dialog/notice.js';
import { Button } from '../../components/form/button.js';
import type { LoginState } from '../../lib/app-navigation.js';
import { sentenceOf } from '../../lib/api/request-error.js';
import { queryOf, useCall } from '../../lib/api/send.js';

const meta = { inPlace: true };

/** Where else people can sign in; nothing where that is nowhere. */
export function SignOnButtons({ wanted }: { wanted: LoginState | null }) {
  const offered = useQuery({ ...queryOf(listSignOns), meta }).data;
  const begin = useCall(beginSignOn, {
    meta,
    onSuccess: ({ address }) => window.location.assign(address),
  });
  if (!offered?.providers.length) return null;
  const { from, then } = wanted ?? {};
  const isOwnPath = from !== undefined && from.startsWith('/') && from.length <= 1_000;
  const body = { ...(isOwnPath && { from }), ...(then && { then }) };
  return (
    <section aria-label={m.sign_on_elsewhere()} className="flex flex-col gap-3 pt-4 border-t border-line">
      {offered.staffOnly && <p className="note">{m.sign_on_staff_here()}</p>}
      {begin.isError && <Notice>{sentenceOf(begin.error)}</Notice>}
      {offered.providers.map(({ key, name }) => (
        <Button
          key={key}
          icon={LogIn}
          // Until the other page comes.
          busy={(begin.isPending || begin.isSuccess) && begin.variables.params.key === key}
          onClick={() => !begin.isPending && begin.mutate({ params: { key }, body })}
        >
          {m.sign_on_with({ name })}
        </Button>
      ))}
    </section>
  );
}
