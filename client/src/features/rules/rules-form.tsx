import { Plus, X } from 'lucide-react';
import { useState } from 'react';
import type { RulesOverview } from '#contracts/rules/rule-views.js';
import { Button } from '../../components/button.js';
import { Confirmation } from '../../components/confirmation.js';
import { Field } from '../../components/field.js';
import { Notice } from '../../components/notice.js';
import { firstWordsOf } from '../../lib/api/request-error.js';
import { Differences } from './differences.js';
import { differences, RULE_GROUPS, WEEKDAYS } from './rule-fields.js';
import { useChangeRules } from './rules-calls.js';
import { draftOf, rulesOf, type RulesDraft } from './rules-draft.js';
import styles from './rules-form.module.css';

/** The rules that are in force, to be changed. What changes is told before it is saved. */
export function RulesForm({ overview }: { overview: RulesOverview }) {
  const { current, versions, startsAfterMinutes } = overview;
  const [draft, setDraft] = useState(() => draftOf(current.rules));
  const [from, setFrom] = useState('');
  const [why, setWhy] = useState('');
  const [asking, setAsking] = useState(false);
  const [key, setKey] = useState(() => crypto.randomUUID());
  const [isTried, setIsTried] = useState(false);
  const change = useChangeRules();

  const read = rulesOf(draft, current.rules);
  const changes = read.rules ? differences(current.rules, read.rules) : [];
  const isSaid = why.trim() !== '';
  /** Something else is asked for now: the same key would be the same request. */
  const renew = () => {
    change.reset();
    setKey(crypto.randomUUID());
  };
  const edit = (part: Partial<RulesDraft>) => {
    renew();
    setDraft({ ...draft, ...part });
  };
  const error = (name: string) => [read.errors?.get(name)];
  const reset = () => {
    setDraft(draftOf(current.rules));
    setIsTried(false);
    renew();
  };

  const save = () => {
    setAsking(false);
    if (!read.rules) return;
    const latest = Math.max(...versions.map(({ version }) => version));
    change.mutate(
      { rules: read.rules, from: from === '' ? null : from, why: why.trim(), after: latest, key },
      {
        onSuccess: () => {
          setWhy('');
          setFrom('');
          setIsTried(false);
          setKey(crypto.randomUUID());
        },
      },
    );
  };

  return (
    <form
      className={styles.form}
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        setIsTried(true);
        if (read.rules && isSaid && changes.length > 0 && !change.isPending) setAsking(true);
        else event.currentTarget.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus();
      }}
    >
      <div className={styles.groups}>
        {RULE_GROUPS.map(({ title, fields }) => (
          <fieldset key={title} className={styles.group}>
            <legend className={styles.legend}>{title}</legend>
            {fields.map(({ name, label, unit, hint }) => (
              <Field key={name} label={label} errors={error(name)} {...(hint !== undefined && { hint })}>
                {(control) => (
                  <span className={styles.measured}>
                    <input
                      {...control}
                      inputMode={unit === 'PLN' ? 'decimal' : 'numeric'}
                      autoComplete="off"
                      value={draft.numbers[name]}
                      onChange={({ target }) => edit({ numbers: { ...draft.numbers, [name]: target.value } })}
                    />
                    <span className={styles.unit}>{unit}</span>
                  </span>
                )}
              </Field>
            ))}
          </fieldset>
        ))}
        <Week draft={draft} errors={read.errors} onEdit={edit} />
        <ClosedDays draft={draft} errors={read.errors} onEdit={edit} />
      </div>

      <section className={styles.changes} aria-label="What changes">
        <h3 className={styles.legend}>What changes</h3>
        <div aria-live="polite">
          {changes.length > 0 ? (
            <Differences changes={changes} />
          ) : (
            <p className="quiet">{read.errors ? 'Something above is not right yet.' : 'Nothing yet.'}</p>
          )}
        </div>
        <Field
          label="From"
          hint={`Blank: ${startsAfterMinutes} minutes after it is saved. What was lent before keeps its rules.`}
        >
          {(control) => (
            <input
              {...control}
              type="date"
              value={from}
              onChange={({ target }) => {
                renew();
                setFrom(target.value);
              }}
            />
          )}
        </Field>
        <Field label="Why" errors={[isTried && !isSaid ? 'Say why the rules are changed.' : undefined]}>
          {(control) => (
            <textarea
              {...control}
              rows={3}
              maxLength={1_000}
              value={why}
              onChange={({ target }) => {
                renew();
                setWhy(target.value);
              }}
            />
          )}
        </Field>
        {change.isError && <Notice>{firstWordsOf(change.error)}</Notice>}
        <div className={styles.buttons}>
          <Button onClick={reset} disabled={changes.length === 0 && !read.errors}>
            Start over
          </Button>
          <Button type="submit" look="primary" busy={change.isPending} disabled={changes.length === 0}>
            Change the rules
          </Button>
        </div>
      </section>

      {asking && (
        <Confirmation
          question={from === '' ? 'Change the rules now?' : `Change the rules from ${from} on?`}
          more={<Differences changes={changes} />}
          action="Change them"
          onConfirm={save}
          onDecline={() => setAsking(false)}
        >
          What was lent or renewed before keeps the rules that it was lent by.
        </Confirmation>
      )}
    </form>
  );
}

interface PartProps {
  draft: RulesDraft;
  errors: ReadonlyMap<string, string> | undefined;
  onEdit: (part: Partial<RulesDraft>) => void;
}

function Week({ draft: { week }, errors, onEdit }: PartProps) {
  const edit = (n: number, day: Partial<RulesDraft['week'][number]>) =>
    onEdit({ week: week.map((each, other) => (other === n ? { ...each, ...day } : each)) });
  return (
    <fieldset className={styles.group}>
      <legend className={styles.legend}>Opening hours</legend>
      <ul role="list" className={styles.week}>
        {WEEKDAYS.map((name, n) => {
          const { isOpen = true, opens = '', closes = '' } = week[n] ?? {};
          const wrong = errors?.get(`week.${n}.closes`) ?? errors?.get(`week.${n}.opens`);
          return (
            <li key={name} className={styles.day}>
              <label className={styles.weekday}>
                <input
                  type="checkbox"
                  checked={isOpen}
                  onChange={({ target }) => edit(n, { isOpen: target.checked })}
                />
                {name}
              </label>
              {isOpen ? (
                <span className={styles.hours}>
                  {(['opens', 'closes'] as const).map((end) => (
                    <input
                      key={end}
                      type="time"
                      aria-label={`${name} ${end}`}
                      aria-invalid={wrong !== undefined || undefined}
                      value={end === 'opens' ? opens : closes}
                      onChange={({ target }) => edit(n, { [end]: target.value })}
                    />
                  ))}
                </span>
              ) : (
                <span className="quiet">closed</span>
              )}
              {wrong !== undefined && <p className={styles.wrong}>{wrong}</p>}
            </li>
          );
        })}
      </ul>
      {errors?.get('week') !== undefined && <p className={styles.wrong}>{errors.get('week')}</p>}
    </fieldset>
  );
}

function ClosedDays({ draft: { closedDays }, errors, onEdit }: PartProps) {
  const edit = (n: number, days: Partial<RulesDraft['closedDays'][number]>) =>
    onEdit({ closedDays: closedDays.map((each, other) => (other === n ? { ...each, ...days } : each)) });
  return (
    <fieldset className={styles.group}>
      <legend className={styles.legend}>Closed days</legend>
      <p className="note">Nothing is due on a closed day, and it costs nothing.</p>
      <ul role="list" className={styles.week}>
        {closedDays.map(({ from, to }, n) => {
          const wrong = errors?.get(`closedDays.${n}.to`) ?? errors?.get(`closedDays.${n}.from`);
          return (
            // Its place is all that tells it from another that is still blank.
            <li key={n} className={styles.day}>
              <span className={styles.hours}>
                <input
                  type="date"
                  aria-label={`Closed from, ${n + 1}`}
                  value={from}
                  onChange={({ target }) =>
                    edit(n, { from: target.value, ...(to < target.value && { to: target.value }) })
                  }
                />
                <input
                  type="date"
                  aria-label={`Closed until, ${n + 1}`}
                  value={to}
                  onChange={({ target }) => edit(n, { to: target.value })}
                />
              </span>
              <Button
                size="small"
                look="plain"
                aria-label={`Open again: ${from}`}
                onClick={() => onEdit({ closedDays: closedDays.filter((_, other) => other !== n) })}
              >
                <X size={16} aria-hidden="true" />
              </Button>
              {wrong !== undefined && <p className={styles.wrong}>{wrong}</p>}
            </li>
          );
        })}
      </ul>
      <Button size="small" onClick={() => onEdit({ closedDays: [...closedDays, { from: '', to: '' }] })}>
        <Plus size={16} aria-hidden="true" /> Add days
      </Button>
    </fieldset>
  );
}
