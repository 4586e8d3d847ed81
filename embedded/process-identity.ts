import { readFileSync, statSync } from 'node:fs';

/** A process, told apart from whoever is given its number after its end. */
export interface ProcessIdentity {
  pid: number;
  /** When it began, in words of the system's; missing where the system does not say. */
  born?: string;
}

/** What the system says of a process that lives. */
interface LivingProcess {
  /** Whose it is. */
  uid: number;
  born: string;
}

const IS_LINUX = process.platform === 'linux';

export function thisProcess(): ProcessIdentity {
  const born = livingProcess(process.pid)?.born;
  return { pid: process.pid, ...(born !== undefined && { born }) };
}

/**
 * Whether this very process lives, and belongs to the user of this one. Where the system tells no more, a process of that
 * number that this user may end counts as it.
 */
export function isAliveAndOurs({ pid, born }: ProcessIdentity): boolean {
  if (!IS_LINUX) return mayEnd(pid);
  const found = livingProcess(pid);
  // A program that belongs to root may be started by anybody: its owner alone proves nothing.
  return found !== undefined && found.uid === process.getuid?.() && found.born === born;
}

/** Whether a process lives and belongs to the user; where the system does not say whose it is, whether we may end it. */
export function belongsTo(pid: number, uid: number): boolean {
  if (!Number.isInteger(pid) || pid <= 0) return false;
  return IS_LINUX ? livingProcess(pid)?.uid === uid : mayEnd(pid);
}

/** On Linux alone. @returns nothing for a dead one, also one whose parent has not asked for its end yet */
function livingProcess(pid: number): LivingProcess | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'latin1');
    // A name in parentheses comes before: it may have anything in it.
    const [state = '', ...rest] = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    if (['Z', 'X'].includes(state)) return undefined;
    const boot = readFileSync('/proc/sys/kernel/random/boot_id', 'latin1').trim();
    return { uid: statSync(`/proc/${pid}`).uid, born: `${boot} ${rest[STARTED_AT]}` };
  } catch {
    return undefined;
  }
}

/** Its place after the state, in clock ticks since the machine began: proc(5), `starttime`. */
const STARTED_AT = 18;

function mayEnd(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}
