import { collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';
import { withDeadlineTimeout } from '../deadline.js';

/** Seconds: from a cached list to what a person gives up on. */
const DURATIONS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];

/** Milliseconds for reading a gauge. */
const READING = 3_000;

/** One process's metrics, in Prometheus's format. Labels are routes and states, never ids, names or addresses. */
export class Metrics {
  private readonly registry = new Registry();
  /** Rate, errors and duration of calls: by method, route and status. */
  readonly calls = new Histogram({
    name: 'lectern_http_request_duration_seconds',
    help: 'Time from the arrival of a call to the end of its answer.',
    labelNames: ['method', 'route', 'status'] as const,
    buckets: DURATIONS,
    registers: [this.registry],
  });

  constructor() {
    // Memory, CPU time, open files, and event loop lag (nodejs_eventloop_lag_*).
    collectDefaultMetrics({ register: this.registry });
  }

  /**
   * A gauge that is read at each scrape. If reading fails, it is left out: its absence shows, and the others are still
   * reported.
   * @param read returns a value for each label value; a single one under the empty label
   */
  gauge(name: string, help: string, label: string, read: () => Promise<Map<string, number>>): void {
    new Gauge({
      name,
      help,
      labelNames: label === '' ? [] : [label],
      registers: [this.registry],
      async collect() {
        this.reset();
        const values = await withDeadlineTimeout(READING, read, 'no answer in time').catch(
          () => new Map<string, number>(),
        );
        for (const [key, value] of values) {
          if (label === '') this.set(value);
          else this.set({ [label]: key }, value);
        }
        // `reset` writes a zero for a gauge without labels, which would be a false value.
        if (label === '' && values.size === 0) this.set(Number.NaN);
      },
    });
  }

  /** The text of a scrape, and its content type. */
  async scrape(): Promise<{ type: string; text: string }> {
    return { type: this.registry.contentType, text: await this.registry.metrics() };
  }
}
