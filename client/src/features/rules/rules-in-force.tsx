import { Fragment, useState } from 'react';
import type { RuleSet } from '#contracts/rules/rule-set.js';
import { isoDay } from '../../lib/dates.js';
import { spanText } from './editor/closed-days.js';
import {
  inOrder,
  kindsOf,
  RULE_GROUPS,
  type RuleField,
  byWeekdays,
  hoursText,
  numberText,
} from './rule-texts.js';
import { Fact } from '../../components/display/fact.js';

const FACT =
  'grid grid-cols-[minmax(0,1fr)_auto] gap-x-4 gap-y-0 py-2 border-t border-line tabular-nums [&:first-of-type]:border-t-0 [&_dt]:text-ink [&_dd]:text-right';

/** Closed days that are named; of the others it is said how many there are. */
const NAMED = 6;

/** The numbers, hours and closed days of some rules, with their exceptions under what they are exceptions of. */
export function RulesInForce({ rules }: { rules: RuleSet }) {
  const [today] = useState(() => isoDay(Date.now()));
  const closed = rules.closedDays
    .filter(({ to }) => to >= today)
    .sort((one, other) => (one.from < other.from ? -1 : 1));
  return (
    <section aria-label="In force" className="[columns:3_17rem] gap-x-10">
      {RULE_GROUPS.map(({ title, fields }) => (
        <div key={title} className="pb-6 break-inside-avoid">
          <h3 className="mb-0 pb-1 border-b border-line-strong text-3">{title}</h3>
          <dl>
            {fields.map((field) => (
              <div key={field.name} className={FACT} data-rule={field.name}>
                <dt>{field.label}</dt>
                <dd className="font-semibold">{withUnit(field, rules[field.name])}</dd>
                {exceptionsOf(field, rules).map(({ name, value }) => (
                  <dd
                    key={name}
                    className="grid col-span-full grid-cols-[minmax(0,1fr)_auto] gap-x-4 gap-y-0 pl-3 text-ink-soft text-1 text-left"
                  >
                    <span>{name}</span>
                    <span>{withUnit(field, value)}</span>
                  </dd>
                ))}
              </div>
            ))}
          </dl>
        </div>
      ))}
      <div className="pb-6 break-inside-avoid">
        <h3 className="mb-0 pb-1 border-b border-line-strong text-3">Open</h3>
        <dl>
          {rules.week === null ? (
            <Fact className={FACT} name="Every day">
              no set hours
            </Fact>
          ) : (
            byWeekdays(
              (weekday) => hoursText(rules, weekday),
              (one, other) => one === other,
            ).map(({ name, value }) => (
              <div key={name} className={FACT}>
                <dt>{name}</dt>
                <dd className="font-semibold">{value}</dd>
              </div>
            ))
          )}
          <div className={FACT}>
            <dt>Closed days</dt>
            <dd>{closed.length === 0 ? 'none to come' : ''}</dd>
            {closed.length > 0 && (
              <dd className="col-span-full text-left">
                {closed.slice(0, NAMED).map((span) => (
                  <Fragment key={span.from}>
                    {spanText(span)}
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
  const told = numberText(field, value);
  if (value === null || field.unit === 'PLN' || field.name === 'renewableDaysBefore') return told;
  return `${told} ${value === 1 ? field.unit.slice(0, -1) : field.unit}`;
}
