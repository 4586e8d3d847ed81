import type { Visit } from '#contracts/accounts/reader-card.js';
import * as m from '#words/messages.js';
import { libraryTitle, served } from '../../library.js';
import { isoDay } from '../../../lib/dates.js';
import styles from './slip.module.css';
import { PrintedSheet } from '../../../components/display/printed-sheet.js';
import { readStored, writeStored, createStore, useStore } from '../../../lib/store.js';
import { Choice } from '../../../components/form/choice.js';

/** What changed hands on a visit, on paper for the reader. */
function Slip({ visit: { at, issued, returned }, reader }: { visit: Visit; reader: { fullname: string } }) {
  return (
    <div className="[font:9pt_/_1.35_var(--sans)]">
      <header className="pb-[2mm] [border-bottom:0.5mm_solid_#000] [&_p]:wrap-anywhere">
        <p className="[font:500_13pt_/_1.2_var(--serif)]">{libraryTitle}</p>
        <OwnWords of="slip-head" />
        <p>
          {isoDay(at)} · {reader.fullname}
        </p>
      </header>
      {issued.length > 0 && (
        <section>
          <h2 className="mt-[3mm] mb-[1mm] [font:600_9pt_/_1.2_var(--sans)]">{m.slip_lent()}</h2>
          <ul role="list">
            {issued.flatMap(({ borrowId, titles, dueDate }) =>
              titles.map((title) => (
                <li key={`${borrowId} ${title}`} className={styles.book}>
                  <span>{title}</span>
                  {dueDate !== null && (
                    <span className="font-semibold whitespace-nowrap">
                      {m.common_due_on({ day: isoDay(dueDate) })}
                    </span>
                  )}
                </li>
              )),
            )}
          </ul>
        </section>
      )}
      {returned.length > 0 && (
        <section>
          <h2 className="mt-[3mm] mb-[1mm] [font:600_9pt_/_1.2_var(--sans)]">{m.slip_returned()}</h2>
          <ul role="list">
            {returned.flatMap(({ borrowId, titles }) =>
              titles.map((title) => (
                <li key={`${borrowId} ${title}`} className={styles.book}>
                  {title}
                </li>
              )),
            )}
          </ul>
        </section>
      )}
      <OwnWords of="slip-foot" />
    </div>
  );
}

/** What the library has on its slips, by the page that was served; HTML in it was made text. */
const OwnWords = ({ of }: { of: 'slip-head' | 'slip-foot' }) => (
  <div className="mt-[3mm] [&_p+p]:mt-[1mm]" dangerouslySetInnerHTML={{ __html: served(of) }} />
);

interface PrintedSlipProps {
  visit: Visit;
  reader: { fullname: string };
  onDone: () => void;
}

/** Has the browser print what changed hands on a visit. */
export function PrintedSlip({ visit, reader, onDone }: PrintedSlipProps) {
  const { paper } = useSlipPaper();
  return (
    <PrintedSheet paper={paper} onDone={onDone}>
      <Slip visit={visit} reader={reader} />
    </PrintedSheet>
  );
}

const SLIP_PAPERS = [
  { value: 'roll80', label: '80 mm' },
  { value: 'roll58', label: '58 mm' },
  { value: 'a4', label: 'A4' },
] as const;
type SlipPaper = (typeof SLIP_PAPERS)[number]['value'];

const KEY = 'slipPaper';
const kept = readStored(KEY);
const paper = createStore<SlipPaper>(SLIP_PAPERS.find(({ value }) => value === kept)?.value ?? 'roll80');

/** What slips are printed on at this desk: its printer stays the same. */
function useSlipPaper(): { paper: SlipPaper; choose: (paper: SlipPaper) => void } {
  return {
    paper: useStore(paper),
    choose: (chosen) => {
      writeStored(KEY, chosen);
      paper.set(chosen);
    },
  };
}

/** What slips are printed on. */
export function SlipPaperChoice() {
  const { paper, choose } = useSlipPaper();
  return <Choice label={m.slip_paper()} value={paper} options={SLIP_PAPERS} onChoose={choose} />;
}
