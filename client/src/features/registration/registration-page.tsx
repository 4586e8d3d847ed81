import { Check } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import { Link, useNavigate } from 'react-router-dom';
import { registerBodySchema } from '#contracts/accounts/account-requests.js';
import { FormCard } from '../../components/form/form-card.js';
import { UnsavedChanges } from '../../components/dialog/unsaved-changes.js';
import { RequestError } from '../../lib/api/request-error.js';
import { usePageTitle } from '../../domain/use-page-title.js';
import { AccountStep } from './account-step.js';
import { AddressStep } from './address-step.js';
import { PersonalStep } from './personal-step.js';
import { useRegister } from './register-account.js';
import styles from './registration-page.module.css';
import { stepOfRefusal, type Refusal } from './refusal.js';
import { EMPTY_WIZARD, STEP_TITLES, type WizardValues } from './wizard-steps.js';

export function RegistrationPage() {
  usePageTitle('Register');
  const navigate = useNavigate();
  const register = useRegister();
  const [step, setStep] = useState(0);
  const [values, setValues] = useState<WizardValues>(EMPTY_WIZARD);
  const [typed, setTyped] = useState(false);
  const [refused, setRefused] = useState<Refusal['messages']>({});
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
  const registered = register.isSuccess ? register.variables.username : null;
  useEffect(() => {
    if (registered !== null) void navigate(`/email-notification?username=${encodeURIComponent(registered)}`);
  }, [registered, navigate]);

  const keep = (part: Partial<WizardValues>, next: number) => {
    setValues({ ...values, ...part });
    setStep(next);
  };
  const submit = (address: WizardValues['address']) => {
    if (sending.current) return;
    sending.current = true;
    setValues({ ...values, address });
    const body = registerBodySchema.parse({ ...values.account, ...values.personal, ...address });
    register.mutate(body, {
      onError: (error) => {
        sending.current = false;
        const refusal = error instanceof RequestError ? stepOfRefusal(error) : null;
        if (!refusal) return;
        setRefused(refusal.messages);
        setStep(refusal.step);
      },
    });
  };

  return (
    <FormCard title="Register">
      <UnsavedChanges unsaved={typed && registered === null} />
      <Steps current={step} />
      <h2 ref={heading} tabIndex={-1}>
        {STEP_TITLES[step]}
      </h2>
      <div className="contents" onChange={() => setTyped(true)}>
        {step === 0 && (
          <AccountStep
            values={values.account}
            refused={refused}
            onDone={(account) => {
              setRefused({});
              keep({ account }, 1);
            }}
          />
        )}
        {step === 1 && (
          <PersonalStep
            values={values.personal}
            onDone={(personal) => keep({ personal }, 2)}
            onBack={(personal) => keep({ personal }, 0)}
          />
        )}
        {step === 2 && (
          <AddressStep
            values={values.address}
            busy={register.isPending}
            onDone={submit}
            onBack={(address) => keep({ address }, 1)}
          />
        )}
      </div>
      <p className="text-ink-soft">
        Already a reader? <Link to="/login">Login</Link>
      </p>
    </FormCard>
  );
}

function Steps({ current }: { current: number }) {
  return (
    <ol role="list" className="flex gap-4 text-1 to-480:gap-3" aria-label="Steps">
      {STEP_TITLES.map((title, index) => (
        <li
          key={title}
          className={styles.mark}
          aria-current={index === current ? 'step' : undefined}
          data-done={index < current || undefined}
        >
          <span className={styles.number}>
            {index < current ? <Check size={14} strokeWidth={3} aria-label="Done" /> : index + 1}
          </span>
          <span>{title}</span>
        </li>
      ))}
    </ol>
  );
}
