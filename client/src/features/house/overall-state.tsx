import type { PartView } from '#contracts/dashboard/house.js';
import { PART_NAMES, partWords } from '#contracts/dashboard/house-words.js';
import { isoMinute } from '../../lib/dates.js';
import { LevelMark } from './level-mark.js';
import { Moment } from './moment.js';
import styles from './overall-state.module.css';
import { headline, type KnownHouse } from './whole-state.js';

/** What a person has to know first: whether everything works, and what needs somebody, with what to do about it. */
export function OverallState({ house }: { house: KnownHouse }) {
  const needed = house.parts
    .filter(({ level }) => level !== 'ok')
    .sort((one, other) => Number(other.level === 'bad') - Number(one.level === 'bad'));
  const settling = house.parts.filter(({ level, incident }) => level === 'ok' && incident);
  const latest = house.parts
    .flatMap(({ since }) => since ?? [])
    .sort()
    .at(-1);
  return (
    <section className={styles.state} data-level={house.level} aria-labelledby="overall">
      <div className={styles.head}>
        <LevelMark level={house.level} large />
        <div>
          <p id="overall" role="status" className={styles.headline}>
            {headline(house.parts)}
          </p>
          {house.level === 'ok' && latest && (
            <p className={styles.since}>
              All {house.parts.length} parts are well, the last of them since <Moment time={latest} />.
            </p>
          )}
        </div>
      </div>
      {needed.length > 0 && (
        <ul role="list" className={styles.needed}>
          {needed.map((part) => (
            <Needed key={part.part} state={part} />
          ))}
        </ul>
      )}
      {settling.map(({ part, incident }) => (
        <p key={part} className={styles.settling}>
          {PART_NAMES[part]} works again. It did not at {isoMinute(incident?.since ?? '')}, and is watched for
          some minutes.
        </p>
      ))}
    </section>
  );
}

function Needed({ state }: { state: PartView }) {
  const { part, level, reason, facts, since, incident } = state;
  const words = partWords(part, reason, facts);
  return (
    <li className={styles.item} data-level={level} data-part={part}>
      <LevelMark level={level} />
      <div>
        <h3 className={styles.name}>
          {PART_NAMES[part]}
          {since && (
            <span className={styles.since}>
              since {isoMinute(since)}, <Moment time={since} />
            </span>
          )}
        </h3>
        <p>{words?.what}</p>
        {words?.todo && (
          <p className={styles.todo}>
            <strong>What to do:</strong> {words.todo}
          </p>
        )}
        {incident?.letter === 'sent' && <p className={styles.letter}>The admins were told by mail.</p>}
        {incident?.letter === 'waiting' && (
          <p className={styles.letter}>The letter to the admins waits until the mail server takes it.</p>
        )}
      </div>
    </li>
  );
}
