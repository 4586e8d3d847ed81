import { readdirSync, readFileSync } from 'node:fs';

const PAGE_BYTES = 4096;

/** A process with all its descendants; only the process itself where `/proc` is missing (not Linux). */
export function processTree(pid: number): number[] {
  const children = new Map<number, number[]>();
  for (const other of runningProcesses()) {
    const parent = parentOf(other);
    if (parent === undefined) continue;
    const siblings = children.get(parent);
    if (siblings) siblings.push(other);
    else children.set(parent, [other]);
  }
  const tree = [pid];
  for (const each of tree) tree.push(...(children.get(each) ?? []));
  return tree;
}

/** Private memory of these processes in bytes; 0 where the system does not tell. */
export function ownMemory(pids: number[]): number {
  return pids.reduce((sum, pid) => {
    const [, resident = 0, shared = 0] = read(`/proc/${pid}/statm`)?.split(' ').map(Number) ?? [];
    return sum + (resident - shared) * PAGE_BYTES;
  }, 0);
}

function runningProcesses(): number[] {
  try {
    return readdirSync('/proc')
      .filter((name) => /^\d+$/.test(name))
      .map(Number);
  } catch {
    return [];
  }
}

function parentOf(pid: number): number | undefined {
  // The program's name is in brackets and may itself contain blanks and brackets.
  const fields = read(`/proc/${pid}/stat`)?.split(') ').at(-1)?.split(' ');
  return fields ? Number(fields[1]) : undefined;
}

/** Undefined if the process has ended. */
function read(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return undefined;
  }
}
