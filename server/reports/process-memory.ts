import { readdirSync, readFileSync } from 'node:fs';

const PAGE_BYTES = 4096;

/**
 * The processes that a process has started, and theirs, with itself. Where the system does not tell (it is no Linux)
 * only the process itself.
 */
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

/** Bytes of memory that these processes have to themselves; 0 where the system does not tell. */
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
  // The name of a program is in brackets and may have blanks and brackets in it.
  const fields = read(`/proc/${pid}/stat`)?.split(') ').at(-1)?.split(' ');
  return fields ? Number(fields[1]) : undefined;
}

/** Undefined for a process that has ended meanwhile. */
function read(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return undefined;
  }
}
