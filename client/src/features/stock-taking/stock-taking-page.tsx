import * as m from '#words/messages.js';
import { useState } from 'react';
import { Link, useParams } from 'react-router-dom';
import {
  FINDING_KINDS,
  SCAN_RETENTION_DAYS,
  type StockTakingStanding,
} from '#contracts/stock-taking/stock-taking.js';
import { Button } from '../../components/form/button.js';
import { Confirmation } from '../../components/dialog/confirmation.js';
import { ErrorState, SkeletonLines } from '../../components/list/placeholders.js';
import { Marked } from '../../components/display/marked.js';
import { Meter } from '../../components/display/meter.js';
import { Notice } from '../../components/dialog/notice.js';
import { PartLinks } from '../../components/display/part-links.js';
import pagePart from '../../components/display/page-part.module.css';
import { usePageTitle } from '../../domain/use-page-title.js';
import { isoDay } from '../../lib/dates.js';
import { oneOf, pageParameter, useAddress, writeAddress, type Parameter } from '../../lib/use-address.js';
import listPage from '../../components/list/list-page.module.css';
import { FindingsPart } from './findings-part.js';
import { ResolvedPart } from './resolved-part.js';
import { ScanPart } from './scan-part.js';
import { StateMark, KIND_NAMES, shelvesOf } from './labels.js';
import { useChangeStockTaking, useStockTaking } from './stock-taking-calls.js';
import { inGroups } from '../../lib/texts.js';

const PARTS = ['scan', ...FINDING_KINDS, 'resolved'] as const;
type Part = (typeof PARTS)[number];

const partParameter: Parameter<Part> = { ...oneOf('part', PARTS, 'scan'), step: true };
const ADDRESS = { part: partParameter, pageNumber: pageParameter } as const;

/** One stock-taking: scanning, and what it has found. */
export function StockTakingPage() {
  const { id = '' } = useParams();
  const standing = useStockTaking(id);
  const address = useAddress(ADDRESS);
  const { part } = address[0];
  usePageTitle(standing.data?.name ?? m.stock_title());
  const taking = standing.data;
  if (standing.isError && !taking) {
    return <ErrorState of={standing} />;
  }
  if (!taking) {
    return <SkeletonLines label={m.stock_loading()} widths={[40, 90, 70]} />;
  }
  return (
    <>
      <Head taking={taking} />
      <Parts taking={taking} part={part} />
      {taking.state !== 'open' && <Closed taking={taking} />}
      {part === 'scan' ? (
        <ScanPart taking={taking} />
      ) : part === 'resolved' ? (
        <ResolvedPart taking={taking} address={address} />
      ) : (
        // Another kind is another list, with a selection of its own.
        <FindingsPart key={part} taking={taking} kind={part} address={address} />
      )}
    </>
  );
}

function Head({ taking }: { taking: StockTakingStanding }) {
  const { id, name, state, startedAt, startedBy, expected, seen } = taking;
  const change = useChangeStockTaking(id);
  const [finishing, setFinishing] = useState(false);
  const open = FINDING_KINDS.reduce((sum, kind) => sum + taking.open[kind], 0);
  return (
    <header className="mb-4">
      <p className="text-1">
        <Link to="/admin/stock-taking">{m.stock_all_link()}</Link>
      </p>
      <div className="flex flex-wrap items-center gap-x-4 gap-y-2 mt-1 [&_h2]:min-w-0 [&_h2]:wrap-anywhere">
        <h2 className={listPage.title}>{name}</h2>
        <StateMark state={state} />
        {state === 'open' && (
          <div className="flex gap-2 ml-auto phone:w-full phone:ml-0 phone:[&>*]:flex-1">
            <Button size="small" busy={change.isPending} onClick={() => change.mutate('paused')}>
              {m.stock_pause()}
            </Button>
            <Button size="small" busy={change.isPending} onClick={() => setFinishing(true)}>
              {m.stock_finish()}
            </Button>
          </div>
        )}
      </div>
      <p className={pagePart.about}>
        <span>{shelvesOf(taking)}</span>
        <span>
          {startedBy === null
            ? m.stock_begun({ day: isoDay(startedAt) })
            : m.stock_begun_by({ day: isoDay(startedAt), by: startedBy })}
        </span>
      </p>
      <div className="flex flex-wrap items-center gap-x-4 gap-y-1 mt-3 text-1">
        <Meter className="flex-[1_1_14rem]" value={seen} max={expected} label={m.stock_seen_meter()} />
        <p role="status" data-seen={seen}>
          <Marked
            parts={m.stock_seen.parts({ seen: inGroups(seen), expected })}
            as={{ seen: (count) => <span className="text-2 font-semibold tabular-nums">{count}</span> }}
          />
        </p>
      </div>
      {finishing && (
        <Confirmation
          question={m.stock_finish_question()}
          action={m.stock_finish()}
          busy={change.isPending}
          onConfirm={() => change.mutate('finished', { onSettled: () => setFinishing(false) })}
          onDecline={() => setFinishing(false)}
        >
          {open > 0 ? m.stock_still_open({ count: open }) : m.stock_all_done()}
        </Confirmation>
      )}
    </header>
  );
}

function Parts({ taking, part }: { taking: StockTakingStanding; part: Part }) {
  const address = (to: Part) => `?${writeAddress(ADDRESS, { part: to, pageNumber: 1 }).toString()}`;
  const countOf = (each: Part) =>
    each === 'scan' ? null : each === 'resolved' ? taking.resolved : taking.open[each];
  const nameOf = (each: Part) =>
    each === 'scan' ? m.stock_scan() : each === 'resolved' ? m.stock_dealt_with() : KIND_NAMES[each];
  return (
    <PartLinks label={m.stock_parts()} parts={PARTS} current={part} addressOf={address} className="mb-6">
      {(each) => {
        const count = countOf(each);
        return (
          <>
            {nameOf(each)}
            {count !== null && (
              <span
                className="min-w-6 px-1 rounded bg-mark text-ink tabular-nums text-center data-quiet:bg-sunk data-quiet:text-ink-soft"
                data-quiet={count === 0 || each === 'resolved' || undefined}
              >
                {inGroups(count)}
              </span>
            )}
          </>
        );
      }}
    </PartLinks>
  );
}

/** It takes nothing now. */
function Closed({ taking: { id, state, scansKept } }: { taking: StockTakingStanding }) {
  const change = useChangeStockTaking(id);
  if (!scansKept) {
    return (
      <div className="mb-6">
        <Notice look="news">{m.stock_closed({ days: SCAN_RETENTION_DAYS })}</Notice>
      </div>
    );
  }
  return (
    <div className="mb-6">
      <Notice
        look="news"
        action={
          <Button look="primary" size="small" busy={change.isPending} onClick={() => change.mutate('open')}>
            {m.stock_resume()}
          </Button>
        }
      >
        {state === 'paused' ? m.stock_is_paused() : m.stock_is_finished({ days: SCAN_RETENTION_DAYS })}
      </Notice>
    </div>
  );
}
