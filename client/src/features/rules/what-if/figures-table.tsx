import type { ReactNode } from 'react';
import { READER_KIND_WORDS } from '#contracts/rules/kinds.js';
import type { TrialAnswer } from '#contracts/rules/what-if.js';
import pagePart from '../../../components/page-part.module.css';
import { Table } from '../../../components/table.js';
import styles from './trial-answer.module.css';
import { counted, difference, inGroups, inMoney, waitOf } from './words.js';

const COLUMNS = [
  { title: 'Figure' },
  { title: 'As it was', className: styles.number },
  { title: 'Under these rules', className: styles.number },
  { title: 'Difference', className: styles.number },
];

/** The whole span, as it was beside as it would have been. */
export function FiguresTable({ answer }: { answer: TrialAnswer }) {
  const { fees, kinds, losses, lateReturns, expiredRents, holds } = answer;
  const charged = kinds.filter(({ real, tried }) => real > 0 || tried > 0);
  return (
    <section aria-labelledby="figures">
      <h3 id="figures" className={pagePart.title}>
        Beside what was
      </h3>
      <Table look="reading" columns={COLUMNS} waiting={8} className={styles.figures}>
        <Figure name="Late fees" figure={fees} told={inMoney} />
        {charged.length > 1 &&
          charged.map(({ kind, otherReaders, ...figure }) => (
            <Figure
              key={kind}
              name={`Late fees: ${READER_KIND_WORDS[kind].toLowerCase()}`}
              note={otherReaders > 0 && `${counted(otherReaders, 'reader', 'readers')} with other fees`}
              figure={figure}
              told={inMoney}
            />
          ))}
        <Figure name="Charged for lost and damaged books" figure={losses} told={inMoney} />
        <Figure name="Books that came back late" figure={lateReturns} />
        <Figure
          name="Rents that nobody collected in time"
          note={
            expiredRents.cannotBeTold > 0 &&
            `Of ${inGroups(expiredRents.cannotBeTold)} it cannot be told: they would have had more time`
          }
          figure={expiredRents}
        />
        {(['median', 'mean'] as const).map((measure) => (
          <Wait
            key={measure}
            name={`Wait for a reserved copy, ${measure === 'mean' ? 'on average' : 'half of them at most'}`}
            note={
              measure === 'median' &&
              holds.cannotBeTold > 0 &&
              `Of ${inGroups(holds.cannotBeTold)} it cannot be told: somebody else would have kept the copy longer`
            }
            real={holds.real?.[measure]}
            tried={holds.tried?.[measure]}
          />
        ))}
      </Table>
    </section>
  );
}

interface FigureProps {
  name: string;
  note?: string | false;
  figure: { real: number; tried: number };
  told?: (number: number) => string;
}

function Figure({ name, note, figure, told = inGroups }: FigureProps) {
  return (
    <Row
      name={name}
      note={note}
      real={told(figure.real)}
      tried={told(figure.tried)}
      by={difference(figure, told)}
    />
  );
}

interface WaitProps {
  name: string;
  note?: string | false;
  /** In hours. */
  real: number | undefined;
  tried: number | undefined;
}

function Wait({ name, note, real, tried }: WaitProps) {
  const isKnown = real !== undefined && tried !== undefined;
  return (
    <Row
      name={name}
      note={note}
      real={real === undefined ? '–' : waitOf(real)}
      tried={tried === undefined ? '–' : waitOf(tried)}
      by={isKnown ? difference({ real, tried }, waitOf) : '–'}
    />
  );
}

interface RowProps {
  name: string;
  note?: string | false | undefined;
  real: ReactNode;
  tried: ReactNode;
  by: ReactNode;
}

function Row({ name, note, real, tried, by }: RowProps) {
  return (
    <tr role="row" data-figure={name}>
      <td role="cell" className={styles.name}>
        {name}
        {note && <span className={styles.aside}>{note}</span>}
      </td>
      <td role="cell" className={styles.number} data-label="As it was">
        {real}
      </td>
      <td role="cell" className={styles.number} data-label="Under these rules">
        <strong>{tried}</strong>
      </td>
      <td role="cell" className={styles.number} data-label="Difference">
        {by}
      </td>
    </tr>
  );
}
