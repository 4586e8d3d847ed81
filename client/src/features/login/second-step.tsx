import * as m from '#words/messages.js';
import { useMutation } from '@tanstack/react-query';
import KeyRound from 'lucide-react/icons/key-round';
import LifeBuoy from 'lucide-react/icons/life-buoy';
import Smartphone from 'lucide-react/icons/smartphone';
import { useState, type FormEvent } from 'react';
import type { SignedInUser } from '#contracts/accounts/account-views.js';
import {
  beginPasskeyLogin,
  giveSecondFactor,
  type SecondFactorBody,
  type SecondFactorMethod,
  type SecondFactorNeeded,
} from '#contracts/accounts/second-factor.js';
import { Button } from '../../components/form/button.js';
import { TypedField } from '../../components/form/field.js';
import { FormCard } from '../../components/form/form-card.js';
import { firstWordsOf, RequestError } from '../../lib/api/request-error.js';
import { send } from '../../lib/api/send.js';
import { CODE_INCOMPLETE, CodeField, isWholeCode } from '../../domain/identity/code-field.js';
import { askForPasskey, NoPasskey, passkeysPossible } from '../../domain/identity/passkeys.js';
import { Notice } from '../../components/dialog/notice.js';

interface SecondStepProps {
  needed: SecondFactorNeeded['secondFactor'];
  onUser: (user: SignedInUser) => void;
  /** @param reason in words, or null where the person wants it */
  onStartOver: (reason: string | null) => void;
}

const LEADS: Record<SecondFactorMethod, string> = {
  code: m.sign_in_code_lead(),
  recoveryCode: m.sign_in_recovery_code_lead(),
  passkey: m.sign_in_passkey_lead(),
};

const WAYS: Record<SecondFactorMethod, { word: string; Icon: typeof KeyRound }> = {
  code: { word: m.sign_in_use_code(), Icon: Smartphone },
  passkey: { word: m.sign_in_use_passkey(), Icon: KeyRound },
  recoveryCode: { word: m.sign_in_use_recovery_code(), Icon: LifeBuoy },
};

/** A code, a recovery code, or whatever passkey the browser gives. */
type SecondProof = Pick<SecondFactorBody, 'code' | 'recoveryCode'> | 'passkey';

/** The second step of a login: a code, a passkey or a recovery code. */
export function SecondStep({ needed, onUser, onStartOver }: SecondStepProps) {
  const [method, setMethod] = useState(needed.methods[0] ?? 'recoveryCode');
  const [typed, setTyped] = useState('');
  const [incomplete, setIncomplete] = useState<string>();
  const give = useMutation({
    mutationFn: async (proof: SecondProof) => {
      const { ticket } = needed;
      const body = proof === 'passkey' ? await proofByPasskey(ticket) : { ticket, ...proof };
      return send(giveSecondFactor, { body: { ...body, ticket } });
    },
    meta: { inPlace: true },
  });

  const prove = (proof: SecondProof) => {
    if (give.isPending) return;
    give.mutate(proof, {
      onSuccess: onUser,
      onError: (error) => {
        if (error instanceof RequestError && error.problem?.code === 'TicketInvalid')
          onStartOver(error.problem.detail);
      },
    });
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (method === 'passkey') return prove('passkey');
    const trouble = missing(method, typed);
    setIncomplete(trouble);
    if (trouble === undefined) prove(method === 'code' ? { code: typed } : { recoveryCode: typed });
  };
  const type = (value: string) => {
    setTyped(value);
    setIncomplete(undefined);
  };
  const others = needed.methods.filter((each) => each !== method);

  return (
    <FormCard title={m.sign_in_one_more_step()} lead={LEADS[method]}>
      <form className="flex flex-col gap-4" noValidate onSubmit={submit}>
        {give.isError && (
          <Notice>{give.error instanceof NoPasskey ? give.error.message : firstWordsOf(give.error)}</Notice>
        )}
        {method === 'passkey' && !passkeysPossible() && (
          <p className="text-ink-soft">{m.sign_in_no_passkeys_here()}</p>
        )}
        {method === 'code' && (
          <CodeField
            key="code"
            label={m.sign_in_code()}
            value={typed}
            onValue={type}
            error={incomplete}
            autoFocus
          />
        )}
        {method === 'recoveryCode' && (
          <TypedField
            key="recovery"
            label={m.sign_in_recovery_code()}
            error={incomplete}
            type="text"
            autoComplete="off"
            autoCapitalize="none"
            spellCheck={false}
            autoFocus
            value={typed}
            onValue={type}
          />
        )}
        <Button
          type="submit"
          look="primary"
          busy={give.isPending}
          disabled={method === 'passkey' && !passkeysPossible()}
        >
          {method === 'passkey' ? m.sign_in_use_my_passkey() : m.common_sign_in()}
        </Button>
      </form>
      <div className="flex flex-wrap gap-1 -m-3 -mt-2 mb-0">
        {others.map((other) => {
          const { word, Icon } = WAYS[other];
          return (
            <Button
              icon={Icon}
              key={other}
              look="plain"
              size="small"
              onClick={() => {
                setMethod(other);
                type('');
                give.reset();
              }}
            >
              {word}
            </Button>
          );
        })}
        <Button look="plain" size="small" onClick={() => onStartOver(null)}>
          {m.sign_in_start_over()}
        </Button>
      </div>
    </FormCard>
  );
}

function missing(method: SecondFactorMethod, typed: string): string | undefined {
  if (method === 'code') return isWholeCode(typed) ? undefined : CODE_INCOMPLETE;
  return typed.trim() === '' ? m.security_recovery_code_required() : undefined;
}

/** @param ticket of a login by password; without one the passkey alone signs in */
export async function proofByPasskey(ticket?: string) {
  const asked = await send(beginPasskeyLogin, { body: { ...(ticket !== undefined && { ticket }) } });
  return { ticket: asked.ticket, passkey: await askForPasskey(asked) };
}
