import { Fragment, useState } from 'react';
import type { RuleSet } from '#contracts/rules/rule-set.js';
import { isoDay } from '../../lib/dates.js';
import { toldSpan } from './closed-days.js';
import { inOrder, kindsOf, RULE_GROUPS, type RuleField } from './rule-fields.js';
import { byWeekdays, toldHours, toldNumber } from './rule-words.js';
import styles from './rules-in-force.module.css';

/** Closed days that are named; of the others it is said how many there are. */
const NAMED = 6;

/** The numbers, hours and closed days of some rules, with their exceptions under what they are exceptions of. */
export function RulesInForce({ rules }: { rules: RuleSet }) {
  const [today] = useState(() => isoDay(Date.now()));
  const closed = rules.closedDays
    .filter(({ to }) => to >= today)
    .sort((one, other) => (one.from < other.from ? -1 : 1));
  return (
    <section aria-label="In force" className={styles.groups}>
      {RULE_GROUPS.map(({ title, fields }) => (
        <div key={title} className={styles.group}>
          <h3 className={styles.title}>{title}</h3>
          <dl>
            {fields.map((field) => (
              <div key={field.name} className={styles.fact} data-rule={field.name}>
                <dt>{field.label}</dt>
                <dd className={styles.value}>{withUnit(field, rules[field.name])}</dd>
                {exceptionsOf(field, rules).map(({ name, value }) => (
                  <dd key={name} className={styles.except}>
                    <span>{name}</span>
                    <span>{withUnit(field, value)}</span>
                  </dd>
                ))}
              </div>
            ))}
          </dl>
        </div>
      ))}
      <div className={styles.group}>
        <h3 className={styles.title}>Open</h3>
        <dl>
          {rules.week === null ? (
            <div className={styles.fact}>
              <dt>Every day</dt>
              <dd>no set hours</dd>
            </div>
          ) : (
            byWeekdays(
              (weekday) => toldHours(rules, weekday),
              (one, other) => one === other,
            ).map(({ name, value }) => (
              <div key={name} className={styles.fact}>
                <dt>{name}</dt>
                <dd className={styles.value}>{value}</dd>
              </div>
            ))
          )}
          <div className={styles.fact}>
            <dt>Closed days</dt>
            <dd>{closed.length === 0 ? 'none to come' : ''}</dd>
            {closed.length > 0 && (
              <dd className={styles.days}>
                {closed.slice(0, NAMED).map((span) => (
                  <Fragment key={span.from}>
                    {toldSpan(span)}
                    <br />
                  </Fragment>
                ))}
                {closed.length > NAMED && <span className="note">and {closed.length - NAMED} more</span>}
              </dd>
            )}
          </div>
        </dl>
      </div>
    </section>
  );
}

function exceptionsOf(field: RuleField, { exceptions }: RuleSet) {
  if (field.of === 'library') return [];
  return inOrder(exceptions).flatMap((each) => {
    const value = each.numbers[field.name];
    return value === undefined ? [] : [{ name: kindsOf(each), value }];
  });
}

/** "14 days", "2 times", "0.50 PLN". */
function withUnit(field: RuleField, value: number | null): string {
  const told = toldNumber(field, value);
  if (value === null || field.unit === 'PLN' || field.name === 'renewableDaysBefore') return told;
  return `${told} ${value === 1 ? field.unit.slice(0, -1) : field.unit}`;
}
