import * as m from '#words/messages.js';
import type { ReactNode } from 'react';
import { Marked } from '../../../../components/display/marked.js';
import { Printed, PrintedTable } from '../../../../components/display/printed.js';
import { classNames } from '../../../../lib/class-names.js';
import { isoDay, isoMinute } from '../../../../lib/dates.js';
import { libraryTitle } from '../../../../domain/library.js';
import { titlesText, eventText } from '../../../../domain/borrowing/event-labels.js';
import { rulesText, type History } from './history.js';
import { useMutation } from '@tanstack/react-query';
import { exportHistory } from '#contracts/audit/audit-calls.js';
import {
  exportEventSchema,
  exportFooterSchema,
  exportHeaderSchema,
} from '#contracts/audit/history-export.js';
import { sendForFile } from '../../../../lib/api/send.js';
import { saveFile } from '../../../../lib/save-file.js';

interface PrintedHistoryProps {
  history: History;
  chain: HashChain;
  onDone: () => void;
}

/**
 * The whole history on paper, with the hash of every event: nobody sees it on the screen. The browser prints it, or
 * makes a PDF of it.
 */
export function PrintedHistory({ history, chain, onDone }: PrintedHistoryProps) {
  const { reader } = history;
  const events = history.events.filter(({ revision }) => chain.hashes.has(revision));
  const [first, last] = [events[0], events.at(-1)];
  const lead = { id: reader.id, count: events.length, time: isoMinute(chain.exportedAt) };
  return (
    <Printed
      over={m.audit_printed_over({ library: libraryTitle })}
      title={reader.fullname}
      lead={
        first && last
          ? m.audit_printed_lead_span({
              ...lead,
              from: isoDay(first.occurredAt),
              to: isoDay(last.occurredAt),
            })
          : m.audit_printed_lead(lead)
      }

      // More stands in a row than on other sheets. The names are doubled, as the sheet's own rules
      // may come later.
      className="[font-size:9pt]"
      onDone={onDone}
    >
      <PrintedTable
        className="mb-0 [&_:is(th,td)]:py-[1mm] [&_:is(th,td):first-child]:text-right [&_td:is(:nth-child(2),:nth-child(3))]:whitespace-nowrap"
        items={events}
        keyOf={({ revision }) => revision}
        columns={[
          { title: m.audit_printed_number(), cell: (_event, index) => index + 1 },
          { title: m.common_when(), cell: ({ occurredAt }) => isoMinute(occurredAt) },
          { title: m.common_what(), cell: eventText },
          { title: m.common_books(), cell: ({ titles }) => titlesText(titles) },
          { title: m.audit_who(), cell: ({ actor }) => actor.name },
          {
            title: m.common_rules(),
            cell: ({ policyVersion, kinds }) =>
              policyVersion === null ? '' : rulesText(policyVersion, kinds),
          },
          {
            title: m.audit_hash(),
            className: "[font-family:ui-monospace,'DejaVu_Sans_Mono',monospace] [font-size:7.5pt]",
            cell: ({ revision }) => chain.hashes.get(revision)?.slice(0, SHOWN_DIGITS),
          },
        ]}
      />
      <footer
        className={classNames(
          'flex flex-col gap-[2mm] mt-[6mm] [font-size:8pt] break-inside-avoid',
          "[&_code]:[font-family:ui-monospace,'DejaVu_Sans_Mono',monospace]",
          '[&_code]:[font-size:7.5pt] [&_code]:wrap-anywhere',
        )}
      >
        <p>
          <Marked
            parts={m.audit_printed_hashes.parts({ digits: SHOWN_DIGITS, file: fileOf(reader.id) })}
            as={{ code }}
          />
        </p>
        <p>
          <Marked
            parts={m.audit_printed_chain.parts({ first: chain.firstHash, final: chain.finalHash })}
            as={{ code, line: () => <br />, final: (hash) => <code data-final-hash>{hash}</code> }}
          />
        </p>
      </footer>
    </Printed>
  );
}

const code = (text: ReactNode) => <code>{text}</code>;

/** Of a hash, in a row: enough to tell two apart. */
const SHOWN_DIGITS = 16;

const fetchExport = (readerId: string) =>
  sendForFile(exportHistory, { params: { readerId }, query: { format: 'jsonl' } });

/** The name that an export is saved under. */
const fileOf = (readerId: string) => `borrows-${readerId}.jsonl`;

/** Fetches a reader's events with their hashes and saves them as JSON lines. Each export is recorded. */
export function useExport(readerId: string) {
  return useMutation({
    mutationFn: async () => saveFile(await fetchExport(readerId), fileOf(readerId)),
  });
}

/** The hashes that bind a history together, by revision, with where the chain begins and ends. */
interface HashChain {
  exportedAt: string;
  firstHash: string;
  finalHash: string;
  hashes: ReadonlyMap<number, string>;
}

/**
 * Makes an export for paper: its chain is printed, and its file is saved beside, as each export has hashes of its own
 * (its time is in the first one). It is recorded as an export.
 */
export function useHashChain(readerId: string) {
  return useMutation({
    mutationFn: async () => {
      const file = await fetchExport(readerId);
      const chain = chainOf(await file.text());
      saveFile(file, fileOf(readerId));
      return chain;
    },
  });
}

/**
 * Reads the chain from the lines of an export.
 * @throws where a line is missing or of another form: half a chain proves nothing
 */
function chainOf(lines: string): HashChain {
  const parsed = lines
    .split('\n')
    .filter((line) => line !== '')
    .map((line): unknown => JSON.parse(line));
  const { exportedAt, firstHash } = exportHeaderSchema.parse(parsed[0]);
  const { finalHash, count } = exportFooterSchema.parse(parsed.at(-1));
  const events = parsed.slice(1, -1).map((line) => exportEventSchema.parse(line));
  if (events.length !== count) throw new Error('The export is not whole.');
  return {
    exportedAt,
    firstHash,
    finalHash,
    hashes: new Map(events.map(({ revision, hash }) => [revision, hash])),
  };
}
