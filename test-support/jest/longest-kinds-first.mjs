import Sequencer from '@jest/test-sequencer';

const KINDS = ['e2e', 'drills', 'integration', 'client', 'unit'];

/** The longest tests, some of them short to read: the last of them would run alone. */
const LONGEST = [
  'e2e/accessibility',
  'e2e/kills.drill',
  'e2e/scheduled-backup.drill',
  'e2e/backup.drill',
  'embedded/event-store/slow-subscriber.drill',
  'server/http/fuzz.drill',
  'server/mail/letters-under-kills.drill',
];

/**
 * Browser tests take longest and are short to read, so that jest, which goes by what it remembers or by the size of
 * files, would leave some for the end, where one processor would be idle. So it would with properties, which play
 * thousands of histories: the longest of the unit tests. Within a kind its own order holds.
 */
export default class LongestKindsFirst extends Sequencer {
  sort(tests) {
    const rank = ({ context, path }) => {
      const long = LONGEST.findIndex((name) => path.endsWith(`/${name}.spec.ts`));
      if (long >= 0) return long - LONGEST.length;
      return KINDS.indexOf(path.includes('.property.') ? 'integration' : context.config.displayName.name);
    };
    return [...super.sort(tests)].sort((one, other) => rank(one) - rank(other));
  }
}
