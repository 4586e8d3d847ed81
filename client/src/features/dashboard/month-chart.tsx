import * as m from '#words/messages.js';
import './month-chart.module.css';
import { useState } from 'react';
import type { Today } from '#contracts/dashboard/today.js';
import { Chart, TableSwitch, roundPlace, ticksUpTo } from '../../components/display/chart.js';
import { Skeleton } from '../../components/list/placeholders.js';
import { Table } from '../../components/list/table.js';
import { classNames } from '../../lib/class-names.js';

const LINE =
  '[fill:none] [stroke:var(--chart)] [stroke-width:2] [stroke-linejoin:round] data-[line=returns]:[stroke-dasharray:5_4]';

const LINE_WORDS = { rents: m.dashboard_rents, returns: m.dashboard_returns };

type Month = Today['month'];

/** A month of rents and returns, to look at or to read. @param month undefined while loading */
export function MonthChart({ month }: { month: Month | undefined }) {
  const [asTable, setAsTable] = useState(false);
  return (
    <section aria-labelledby="month">
      <header className="flex items-baseline justify-between min-h-9 pb-1 border-b border-line-strong">
        <h3 id="month" className="text-3">
          {m.dashboard_month()}
        </h3>
        <TableSwitch on={asTable} onTurn={setAsTable} />
      </header>
      {!month ? (
        <div className="[aspect-ratio:480_/_236] pt-3" aria-busy="true">
          <Skeleton width="100%" />
        </div>
      ) : asTable ? (
        <MonthTable month={month} />
      ) : (
        <Lines month={month} />
      )}
    </section>
  );
}

/** The lines. What is under the pointer is read out above them. */
function Lines({ month }: { month: Month }) {
  const [pointed, setPointed] = useState<number | null>(null);
  const { rents, returns, ticks, days, x, y } = monthLayout(month);
  const last = month.length - 1;
  const at = Math.min(pointed ?? last, last);
  const shown = month[at];
  if (!shown) return null;
  const step = (x(last) - x(0)) / Math.max(1, last);
  return (
    <Chart
      width={WIDTH}
      height={HEIGHT}
      label={m.dashboard_day()}
      steps={month.length}
      at={at}
      said={m.dashboard_month_reading(shown)}
      reading={
        <>
          <span className="text-ink-soft">{shown.day}</span>
          {(['rents', 'returns'] as const).map((line) => (
            <span
              key={line}
              className={classNames(
                'inline-flex items-center gap-2 font-strong',
                "before:content-[''] before:w-5 before:[border-top:2px_solid_var(--chart)]",
                'data-[line=returns]:before:[border-top-style:dashed]',
              )}
              data-line={line}
            >
              {LINE_WORDS[line]({ count: shown[line] })}
            </span>
          ))}
        </>
      }
      stepAt={(place) => Math.max(0, Math.min(last, Math.round((place - x(0)) / step)))}
      onPoint={setPointed}
      onLeave={() => setPointed(null)}
    >
      {ticks.map((tick) => (
        <g key={tick}>
          <line x1={x(0)} x2={x(last)} y1={y(tick)} y2={y(tick)} className="stroke-line [stroke-width:1]" />
          <text
            x={x(0) - 8}
            y={y(tick)}
            className="fill-ink-soft [font:var(--tick,12px)_var(--sans)] tabular-nums [text-anchor:end] [dominant-baseline:middle]"
          >
            {tick}
          </text>
        </g>
      ))}
      {days.map((index) => (
        <text
          key={index}
          x={x(index)}
          y={HEIGHT - 4}
          className="fill-ink-soft [font:var(--tick,12px)_var(--sans)] tabular-nums [text-anchor:end]"
        >
          {month[index]?.day.slice(5)}
        </text>
      ))}
      <line
        x1={x(at)}
        x2={x(at)}
        y1={y(ticks.at(-1) ?? 0)}
        y2={y(0)}
        className="stroke-line-strong [stroke-width:1]"
      />
      <path d={returns} className={LINE} data-line="returns" />
      <path d={rents} className={LINE} data-line="rents" />
      {(['returns', 'rents'] as const).map((line) => (
        <circle
          key={line}
          cx={x(at)}
          cy={y(shown[line])}
          r={4}
          className="fill-paper [stroke:var(--chart)] [stroke-width:2]"
          data-line={line}
        />
      ))}
    </Chart>
  );
}

function MonthTable({ month }: { month: Month }) {
  return (
    // Scrolls by itself, so that the page keeps its length.
    <div
      className="max-h-66 overflow-y-auto"
      role="group"
      aria-label={m.dashboard_month_table()}
      tabIndex={0}
    >
      <Table
        look="list"
        className={classNames(
          '[&_td]:h-8',
          'phone:[display:table] phone:[&_tbody]:[display:table-row-group] phone:[&_thead]:static phone:[&_thead]:w-auto',
          'phone:[&_thead]:h-auto phone:[&_thead]:overflow-visible phone:[&_thead]:[clip-path:none]',
        )}
        columns={[
          { title: m.dashboard_day() },
          { title: m.dashboard_rented(), className: 'text-right' },
          { title: m.dashboard_returned(), className: 'text-right' },
        ]}
        waiting={3}
      >
        {[...month].reverse().map(({ day, rents, returns }) => (
          <tr role="row" key={day} className="phone:table-row">
            <td role="cell" className="unbroken">
              {day}
            </td>
            <td role="cell" className="text-right">
              {rents}
            </td>
            <td role="cell" className="text-right">
              {returns}
            </td>
          </tr>
        ))}
      </Table>
    </div>
  );
}

export const WIDTH = 480;
export const HEIGHT = 200;
const MARGIN = { left: 36, right: 8, top: 10, bottom: 26 };
/** Days between two dates under the chart. */
const WEEK = 7;

interface DrawnMonth {
  /** As the `d` of a path. */
  rents: string;
  returns: string;
  /** The numbers on the left, from 0. */
  ticks: number[];
  /** The indexes of the days named below, this day's always among them. */
  days: number[];
  x: (index: number) => number;
  y: (count: number) => number;
}

/** Where the lines of a month go, in a space of `WIDTH` by `HEIGHT`. */
export function monthLayout(month: Today['month']): DrawnMonth {
  const most = Math.max(1, ...month.flatMap(({ rents, returns }) => [rents, returns]));
  const ticks = ticksUpTo(most);
  const top = ticks.at(-1) ?? 1;
  const last = month.length - 1;
  const x = (index: number) =>
    roundPlace(MARGIN.left + (WIDTH - MARGIN.left - MARGIN.right) * (last === 0 ? 1 : index / last));
  const y = (count: number) =>
    roundPlace(HEIGHT - MARGIN.bottom - ((HEIGHT - MARGIN.top - MARGIN.bottom) * count) / top);
  const path = (counts: number[]) =>
    counts.map((count, index) => `${index === 0 ? 'M' : 'L'}${x(index)} ${y(count)}`).join('');
  return {
    rents: path(month.map(({ rents }) => rents)),
    returns: path(month.map(({ returns }) => returns)),
    ticks,
    days: month.flatMap((_, index) => ((last - index) % WEEK === 0 ? [index] : [])),
    x,
    y,
  };
}
