import { readFileSync } from 'node:fs';
import { processTree } from '../../server/reports/print-process.js';
import type { TestProduct } from '../product/product.js';

/** The printing processes that the product has started. */
export function runningPrinters({ pid: product }: TestProduct): number[] {
  return processTree(product).filter((pid) => {
    try {
      return readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes('print-worker.js');
    } catch {
      return false;
    }
  });
}

/** Kills them, as a crash would, and says how many there were. */
export function killPrinters(product: TestProduct): number {
  const printers = runningPrinters(product);
  for (const pid of printers) process.kill(pid, 'SIGKILL');
  return printers.length;
}
