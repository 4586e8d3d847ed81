import * as m from '#words/messages.js';
import { useEffect, useRef, useState } from 'react';
import { Link, useNavigate } from 'react-router-dom';
import { checkRegistration, register as registerCall } from '#contracts/accounts/account-calls.js';
import { Marked } from '../../components/display/marked.js';
import { FormCard } from '../../components/form/form-card.js';
import { Steps } from '../../components/form/steps.js';
import { UnsavedChanges } from '../../components/dialog/unsaved-changes.js';
import { firstWordsOf, RequestError, UNREACHABLE } from '../../lib/api/request-error.js';
import { useCall } from '../../lib/api/send.js';
import { notify } from '../../lib/notify.js';
import { usePageTitle } from '../../domain/use-page-title.js';
import { AccountStep, type RefusedAccount } from './account-step.js';
import type { WizardValues } from './person-steps.js';

const STEP_TITLES = [
  m.common_account_details(),
  m.common_personal_details(),
  m.common_address_details(),
] as const;

const EMPTY_WIZARD: WizardValues = {
  account: { username: '', email: '', password: '', confirmPassword: '' },
  personal: { firstname: '', lastname: '', dateOfBirth: '', gender: '' },
  address: { country: '', adress: '', city: '', postalCode: '' },
};

const loadSteps = () => import('./person-steps.js');

export function RegistrationPage() {
  usePageTitle(m.register_title());
  const navigate = useNavigate();
  const register = useCall(registerCall, {
    // The words of a refusal are a toast (specification, section 8), and stand under their field as well.
    meta: { inPlace: true },
    onError: (error) => notify.error(firstWordsOf(error)),
  });
  const check = useCall(checkRegistration, { meta: { inPlace: true } });
  const [step, setStep] = useState(0);
  /** The other steps, once they are wanted. */
  const [steps, setSteps] = useState<Awaited<ReturnType<typeof loadSteps>>>();
  const [values, setValues] = useState<WizardValues>(EMPTY_WIZARD);
  const [typed, setTyped] = useState(false);
  const [refused, setRefused] = useState<RefusedAccount>({});
  const heading = useRef<HTMLHeadingElement>(null);
  const shown = useRef(step);
  // A second click comes before the first has been drawn.
  const sending = useRef(false);

  useEffect(() => {
    if (shown.current === step) return;
    shown.current = step;
    if (!heading.current?.parentElement?.contains(document.activeElement)) heading.current?.focus();
  }, [step]);

  // Once nothing is unsaved any more: a registration that was taken is left without a question.
  const registered = register.isSuccess ? register.variables.body.username : null;
  useEffect(() => {
    if (registered !== null) void navigate(`/email-notification?username=${encodeURIComponent(registered)}`);
  }, [registered, navigate]);

  const keep = (part: Partial<WizardValues>, next: number) => {
    setValues({ ...values, ...part });
    setStep(next);
  };
  /** What would be refused at the end is said where it can be mended; what cannot be checked now, the end decides. */
  const leaveAccount = (account: WizardValues['account']) => {
    if (check.isPending) return;
    setRefused({});
    setValues({ ...values, account });
    check.mutate(
      { body: { username: account.username, email: account.email } },
      {
        onSettled: (_answer, error) => {
          const refusal = error instanceof RequestError ? stepOfRefusal(error) : null;
          if (refusal) return setRefused(refusal.messages);
          loadSteps().then(
            (loaded) => {
              setSteps(loaded);
              setStep(1);
            },
            () => notify.error(UNREACHABLE),
          );
        },
      },
    );
  };
  const submit = (address: WizardValues['address']) => {
    if (sending.current || !steps) return;
    sending.current = true;
    setValues({ ...values, address });
    const body = steps.registrationOf({ ...values, address });
    register.mutate(
      { body },
      {
        onError: (error) => {
          sending.current = false;
          const refusal = error instanceof RequestError ? stepOfRefusal(error) : null;
          if (!refusal) return;
          setRefused(refusal.messages);
          setStep(refusal.step);
        },
      },
    );
  };

  return (
    <FormCard title={m.register_title()}>
      <UnsavedChanges unsaved={typed && registered === null} />
      <Steps titles={STEP_TITLES} current={step} />
      <h2 ref={heading} tabIndex={-1}>
        {STEP_TITLES[step]}
      </h2>
      <div
        className="contents"
        onChange={() => setTyped(true)}
        // The other steps come meanwhile; only where they are gone to does a failure matter.
        onFocus={() => void loadSteps().catch(() => undefined)}
      >
        {step === 0 && (
          <AccountStep
            values={values.account}
            refused={refused}
            busy={check.isPending}
            onDone={leaveAccount}
          />
        )}
        {steps && step === 1 && (
          <steps.PersonalStep
            values={values.personal}
            onDone={(personal) => keep({ personal }, 2)}
            onBack={(personal) => keep({ personal }, 0)}
          />
        )}
        {steps && step === 2 && (
          <steps.AddressStep
            values={values.address}
            busy={register.isPending}
            onDone={submit}
            onBack={(address) => keep({ address }, 1)}
          />
        )}
      </div>
      <p className="text-ink-soft">
        <Marked
          parts={m.register_already_reader.parts({ sign_in: m.common_sign_in() })}
          as={{ link: (children) => <Link to="/login">{children}</Link> }}
        />
      </p>
    </FormCard>
  );
}

interface Refusal {
  /** The step to go back to. */
  step: number;
  /** What to show under the fields of the first step. */
  messages: RefusedAccount;
}

/** Where the person can mend what the server refused; null where no field is named. */
function stepOfRefusal(error: RequestError): Refusal | null {
  const detail = error.problem?.detail ?? '';
  if (error.problem?.code === 'UsernameTaken') return { step: 0, messages: { username: [detail] } };
  if (error.problem?.code === 'EmailTaken') return { step: 0, messages: { email: [detail] } };
  const fields = Object.entries(error.fieldErrors ?? {});
  if (fields.length === 0) return null;
  const steps = [EMPTY_WIZARD.account, EMPTY_WIZARD.personal, EMPTY_WIZARD.address];
  const step = steps.findIndex((values) => fields.some(([name]) => name in values));
  const messages = Object.fromEntries(
    fields.flatMap(([name, [message]]) =>
      name in EMPTY_WIZARD.account && message ? [[name, [message]]] : [],
    ),
  );
  // Only the first step's own rules can differ from the server's; for the others the toast is enough.
  return { step: Math.max(0, step), messages };
}
