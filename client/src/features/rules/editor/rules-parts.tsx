import type { RuleSet } from '#contracts/rules/rule-set.js';
import { ClosedDaysPart } from './closed-days-part.js';
import { ExceptionsPart } from './exceptions-part.js';
import { NumbersPart, type PartProps } from './numbers-part.js';
import { WeekPart } from './week-part.js';

interface RulesPartsProps extends PartProps {
  /** What exceptions are told from, where what is typed cannot be read (`usualOf`). */
  usual: RuleSet;
}

/** All that rules have, to be typed. */
export function RulesParts({ usual, ...part }: RulesPartsProps) {
  return (
    <div className="flex flex-col gap-10 min-w-0">
      <NumbersPart {...part} />
      <ExceptionsPart {...part} rules={usual} />
      <WeekPart {...part} />
      <ClosedDaysPart {...part} />
    </div>
  );
}
