import * as m from '#words/messages.js';
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
  UNITS,
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
    <section aria-label={m.rules_in_force()} className="[columns:3_17rem] gap-x-10">
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
        <h3 className="mb-0 pb-1 border-b border-line-strong text-3">{m.rules_opening()}</h3>
        <dl>
          {rules.week === null ? (
            <Fact className={FACT} name={m.rules_every_day()}>
              {m.rules_no_set_hours()}
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
            <dt>{m.hours_closed_days()}</dt>
            <dd>{closed.length === 0 ? m.rules_none_to_come() : ''}</dd>
            {closed.length > 0 && (
              <dd className="col-span-full text-left">
                {closed.slice(0, NAMED).map((span) => (
                  <Fragment key={span.from}>
                    {spanText(span)}
                    <br />
                  </Fragment>
                ))}
                {closed.length > NAMED && (
                  <span className="note">{m.rules_and_more({ count: closed.length - NAMED })}</span>
                )}
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
  if (value === null || field.name === 'renewableDaysBefore') return numberText(field, value);
  return UNITS[field.unit].of({ count: value });
}
