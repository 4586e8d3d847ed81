import * as m from '#words/messages.js';
import { useMutation } from '@tanstack/react-query';
import KeyRound from 'lucide-react/icons/key-round';
import { useState, type FormEvent } from 'react';
import {
  beginPasskeyConfirmation,
  confirmIdentity,
  type ConfirmBody,
  type SecondFactors,
} from '#contracts/accounts/second-factor.js';
import { confirmBySignOn } from '#contracts/accounts/sign-on.js';
import { Button } from '../../components/form/button.js';
import { Dialog, SubmitButtons } from '../../components/dialog/dialog.js';
import { TypedField } from '../../components/form/field.js';
import { Notice } from '../../components/dialog/notice.js';
import { firstWordsOf } from '../../lib/api/request-error.js';
import { CODE_INCOMPLETE, CodeField, isWholeCode } from './code-field.js';
import { send, useCall } from '../../lib/api/send.js';
import { askForPasskey, NoPasskey, passkeysPossible } from './passkeys.js';
import { useSecondFactors } from './second-factors.js';

type SignOn = NonNullable<SecondFactors['signOn']>;
/** A password, a code, or whatever passkey the browser gives. */
type Proof = Pick<ConfirmBody, 'password' | 'code'> | 'passkey';

/** Asks for the password, a code or a passkey before something that cannot be left to whoever sits at the screen. */
export function ConfirmDialog({ onDone }: { onDone: (confirmed: boolean) => void }) {
  const factors = useSecondFactors().data;
  const confirm = useMutation({ mutationFn: confirmBy, meta: { inPlace: true } });
  const [byCode, setByCode] = useState(false);
  const [typed, setTyped] = useState('');
  const [incomplete, setIncomplete] = useState<string>();
  const hasPasskey = passkeysPossible() && (factors?.passkeys.length ?? 0) > 0;

  const prove = (proof: Proof) => {
    if (!confirm.isPending) confirm.mutate(proof, { onSuccess: () => onDone(true) });
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    // The dialog may be shown from within a form; this one is its own.
    event.stopPropagation();
    const complete = byCode ? isWholeCode(typed) : typed !== '';
    setIncomplete(complete ? undefined : byCode ? CODE_INCOMPLETE : m.password_required());
    if (complete) prove(byCode ? { code: typed } : { password: typed });
  };
  const change = (value: string) => {
    setTyped(value);
    setIncomplete(undefined);
  };
  const switchWay = () => {
    setByCode(!byCode);
    change('');
    confirm.reset();
  };

  return (
    <Dialog title={m.security_confirm_title()} lead={m.security_confirm_lead()} onClose={() => onDone(false)}>
      <form className="flex flex-col gap-4" noValidate onSubmit={submit}>
        {confirm.isError && <Notice>{wordsOf(confirm.error)}</Notice>}
        {byCode ? (
          <CodeField
            key="code"
            label={m.security_code_of_app()}
            value={typed}
            onValue={change}
            error={incomplete}
            autoFocus
          />
        ) : (
          <TypedField
            key="password"
            label={m.security_your_password()}
            error={incomplete}
            type="password"
            autoComplete="current-password"
            value={typed}
            onValue={change}
          />
        )}
        <div className="flex flex-wrap gap-1 -ml-3 empty:hidden">
          {factors?.codeAppSince && (
            <Button look="plain" size="small" onClick={switchWay}>
              {byCode ? m.security_use_password() : m.sign_in_use_code()}
            </Button>
          )}
          {factors?.signOn && <ProviderButtons signOn={factors.signOn} onDone={() => onDone(true)} />}
          {hasPasskey && (
            <Button icon={KeyRound} look="plain" size="small" onClick={() => prove('passkey')}>
              {m.sign_in_use_passkey()}
            </Button>
          )}
        </div>
        <SubmitButtons
          action={m.security_confirm()}
          busy={confirm.isPending}
          onCancel={() => onDone(false)}
        />
      </form>
    </Dialog>
  );
}

/** The provider asks in another window, so that nothing typed here is lost; whoever was there goes on here. */
function ProviderButtons({ signOn: { key, name }, onDone }: { signOn: SignOn; onDone: () => void }) {
  const begin = useCall(confirmBySignOn, {
    meta: { inPlace: true },
    onSuccess: ({ address }) => void window.open(address, '_blank', 'noopener'),
  });
  return (
    <>
      {begin.isError && <Notice>{wordsOf(begin.error)}</Notice>}
      <Button
        look="plain"
        size="small"
        busy={begin.isPending}
        onClick={() => begin.mutate({ params: { key } })}
      >
        {m.sign_on_confirm_with({ name })}
      </Button>
      {begin.isSuccess && (
        <Button size="small" onClick={onDone}>
          {m.sign_on_was_there()}
        </Button>
      )}
    </>
  );
}

function wordsOf(error: unknown): string {
  return error instanceof NoPasskey ? error.message : firstWordsOf(error);
}

async function confirmBy(proof: Proof) {
  if (proof !== 'passkey') return send(confirmIdentity, { body: proof });
  const asked = await send(beginPasskeyConfirmation);
  const passkey = { ticket: asked.ticket, passkey: await askForPasskey(asked) };
  return send(confirmIdentity, { body: { passkey } });
}
