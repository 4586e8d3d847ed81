import * as m from '#words/messages.js';
import type { FeeCharge, FeeExplanation } from '#contracts/audit/fee-explanation.js';
import { isoMinute } from '../../lib/dates.js';
import { chargesOf, amountText, type BorrowCharges } from './money.js';
import { Dialog } from '../../components/dialog/dialog.js';
import { Loaded, SkeletonLines } from '../../components/list/placeholders.js';
import styles from './fee-dialog.module.css';
import { Fact } from '../../components/display/fact.js';
import { useQuery } from '@tanstack/react-query';
import { explainFee, explainOwnFee } from '#contracts/audit/audit-calls.js';
import { queryOf } from '../../lib/api/send.js';

interface FeeDialogProps {
  asker: FeeAsker;
  borrow: BorrowCharges & { id: string };
  asOf?: number;
  onClose: () => void;
}

/** From a fee to the days, books, rate and rules that made it. */
export function FeeDialog({ asker, borrow, asOf, onClose }: FeeDialogProps) {
  const fee = useFeeExplanation(asker, borrow.id);
  const purposes = chargesOf(borrow).map(({ name, titles }) => (
    <span key={`${name} ${titles.join()}`} className="block">
      {name}: {titles.join(', ')}
    </span>
  ));
  return (
    <Dialog title={m.fees_how()} lead={purposes} wide onClose={onClose}>
      <Loaded
        of={fee}
        waiting={<SkeletonLines label={m.fees_loading()} widths={[70, 90, 55]} className="min-h-32" />}
      >
        {(data) => <Explanation fee={data} asOf={asOf ?? Infinity} />}
      </Loaded>
    </Dialog>
  );
}

type Step = { revision: number; at: string } & (
  | { kind: 'charge'; charge: FeeCharge }
  /** In PLN, below 0 where less is owed after it. */
  | { kind: 'other'; sentence: string; amount: number }
);

function stepsOf(fee: FeeExplanation): Step[] {
  const { charges, payments, waivers, corrections, losses, takenBack } = fee;
  const other = (revision: number, at: string, sentence: string, amount: number): Step => ({
    ...{ kind: 'other', revision, at, sentence, amount },
  });
  const all: Step[] = [
    ...charges.map((charge) => ({
      kind: 'charge' as const,
      revision: charge.revision,
      at: charge.chargedAt,
      charge,
    })),
    ...payments.map(({ revision, paidAt, sentence, amount }) => other(revision, paidAt, sentence, -amount)),
    ...waivers.map(({ revision, waivedAt, sentence, amount }) =>
      other(revision, waivedAt, sentence, -amount),
    ),
    ...corrections.map(({ revision, undoneAt, sentence, amount }) =>
      other(revision, undoneAt, sentence, amount),
    ),
    ...losses.map(({ revision, reportedAt, sentence, amount }) =>
      other(revision, reportedAt, sentence, amount),
    ),
    ...takenBack.map(({ revision, takenBackAt, sentence, amount }) =>
      other(revision, takenBackAt, sentence, -amount),
    ),
  ];
  return all.sort((one, another) => one.revision - another.revision);
}

function Explanation({ fee, asOf }: { fee: FeeExplanation; asOf: number }) {
  const steps = stepsOf(fee);
  const later = steps.findIndex(({ revision }) => revision > asOf);
  return (
    <>
      <ol role="list">
        {steps.map((step, index) => (
          <li key={step.revision} className={styles.step} data-later={step.revision > asOf || undefined}>
            {index === later && <p className={styles.boundary}>{m.fees_later()}</p>}
            <time
              className="text-1 tabular-nums text-ink-soft leading-[1.5rem] phone:col-span-full"
              dateTime={step.at}
            >
              {isoMinute(step.at)}
            </time>
            {step.kind === 'charge' ? (
              <Charge charge={step.charge} />
            ) : (
              <>
                <p className="leading-[1.5rem]">{step.sentence}</p>
                <span className="tabular-nums leading-[1.5rem] whitespace-nowrap">
                  {step.amount < 0 && '−'}
                  {amountText(Math.abs(step.amount))}
                </span>
              </>
            )}
          </li>
        ))}
      </ol>
      <dl className="flex flex-col gap-1 ml-auto min-w-56 tabular-nums [&>div]:flex [&>div]:justify-between [&>div]:gap-6">
        <Fact name={m.fees_charged()}>{amountText(fee.charged)}</Fact>
        <Fact name={m.fees_paid()}>{amountText(fee.paid)}</Fact>
        {fee.waived > 0 && <Fact name={m.fees_waived()}>{amountText(fee.waived)}</Fact>}
        {fee.refund > 0 && <Fact name={m.fees_to_give_back()}>{amountText(fee.refund)}</Fact>}
        <Fact className="pt-1 double-rule font-strong" name={m.fees_still_to_pay()}>
          {amountText(fee.due)}
        </Fact>
      </dl>
    </>
  );
}

function Charge({ charge }: { charge: FeeCharge }) {
  const { sentence, addsUp, amount } = charge;
  return (
    <>
      <div>
        <p className="leading-[1.5rem]">{sentence}</p>
        <p className="text-1 tabular-nums text-ink-soft">{rulesOf(charge)}</p>
        {addsUp === false && (
          <p className="text-1 tabular-nums mt-1 py-1 px-2 rounded bg-danger-wash text-danger">
            {m.fees_wrong_sum()}
          </p>
        )}
      </div>
      <span className="tabular-nums leading-[1.5rem] whitespace-nowrap">{amountText(amount)}</span>
    </>
  );
}

/** By which rules it was charged, as far as they are known. */
function rulesOf({ rate, cap, policyVersion: version, calendar }: FeeCharge): string {
  if (rate === null || cap === null) {
    return calendar === null
      ? m.fees_rules({ version })
      : m.fees_rules_days({ version, timeZone: calendar.timeZone });
  }
  const known = { version, rate: amountText(rate), cap: amountText(cap) };
  return calendar === null
    ? m.fees_rules_rate(known)
    : m.fees_rules_rate_days({ ...known, timeZone: calendar.timeZone });
}

/** Who asks: readers for a borrow of their own, or an auditor, whose look is recorded. */
export type FeeAsker = 'owner' | 'auditor';

/** How the fee of a borrow came about. */
function useFeeExplanation(asker: FeeAsker, borrowId: string) {
  const isOwn = asker === 'owner';
  const rest = { staleTime: 0, meta: { inPlace: true } };
  const own = useQuery({ ...queryOf(explainOwnFee, { query: { borrowId } }), ...rest, enabled: isOwn });
  const others = useQuery({ ...queryOf(explainFee, { params: { borrowId } }), ...rest, enabled: !isOwn });
  return isOwn ? own : others;
}
