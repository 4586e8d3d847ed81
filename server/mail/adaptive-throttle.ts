import { performance, type EventLoopUtilization } from 'node:perf_hooks';
import { setTimeout as sleep } from 'node:timers/promises';

/** Letters a second that go out however much else there is to do. */
const AT_LEAST = 45;
/** Seconds within which all that is due goes out, if it can be sent so fast. */
const ALL_WITHIN = 240;
/**
 * The share of a thread's time from which it has something else to do. Letters at their slow pace take some 7 % of it, four people
 * who rent and return without a pause a quarter.
 */
const BUSY = 0.15;
/** Milliseconds of slow pace in which that is measured, and of full speed after which it is measured again. */
const MEASURED_FOR = 250;
const FREE_FOR = 1000;

/**
 * The pace of letters. They go out as fast as they can while their thread has nothing else to do; while it answers people,
 * evenly and no faster than needed. One that comes alone does not wait.
 */
export class AdaptiveThrottle {
  private isFree = false;
  private since = 0;
  private load: EventLoopUtilization;
  private nextTurn = 0;

  /**
   * @param loadUntilNow of the thread
   * @param now milliseconds
   */
  constructor(
    private readonly loadUntilNow = () => performance.eventLoopUtilization(),
    private readonly now = () => performance.now(),
    private readonly wait: (milliseconds: number) => Promise<unknown> = sleep,
  ) {
    this.load = loadUntilNow();
  }

  /**
   * Waits for a letter's turn.
   * @param due letters there are
   */
  async turn(due: number): Promise<void> {
    this.look();
    if (this.isFree) return;
    const now = this.now();
    const at = Math.max(now, this.nextTurn);
    this.nextTurn = at + 1000 / Math.max(AT_LEAST, due / ALL_WITHIN);
    if (at > now) await this.wait(at - now);
  }

  private look(): void {
    const now = this.now();
    const lasted = now - this.since;
    if (lasted < (this.isFree ? FREE_FOR : MEASURED_FOR)) return;
    const load = this.loadUntilNow();
    const { utilization } = performance.eventLoopUtilization(load, this.load);
    // At full speed letters alone keep the thread busy: only their slow pace tells what else does.
    this.isFree = !this.isFree && utilization < BUSY;
    [this.load, this.since] = [load, now];
  }
}
