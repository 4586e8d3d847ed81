import { readFileSync } from 'node:fs';
import { processTree } from '../server/reports/process-memory.js';

/** Kills the printing processes that this process has started, as a crash would, and says how many. */
export function killPrinters(): number {
  const printers = processTree(process.pid).filter((pid) => {
    try {
      return readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes('print-worker.js');
    } catch {
      return false;
    }
  });
  for (const pid of printers) process.kill(pid, 'SIGKILL');
  return printers.length;
}
