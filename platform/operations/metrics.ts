import { collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';

/** Seconds; from what a cached list takes to what a person gives up on. */
const DURATIONS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];

/**
 * The measurements of one process, in the form that Prometheus scrapes. Labels are routes and states, never ids,
 * names or addresses.
 */
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
    // Memory, processor time, open files, and how late the event loop is (nodejs_eventloop_lag_*).
    collectDefaultMetrics({ register: this.registry });
  }

  /**
   * A measurement that is taken when it is asked for. One that cannot be taken is left out, so that its absence
   * shows, and the others are still told.
   * @param read gives a value for each label value; a single one under the empty label
   */
  gauge(name: string, help: string, label: string, read: () => Promise<Map<string, number>>): void {
    new Gauge({
      name,
      help,
      labelNames: label === '' ? [] : [label],
      registers: [this.registry],
      async collect() {
        this.reset();
        const values = await read().catch(() => new Map<string, number>());
        for (const [key, value] of values) {
          if (label === '') this.set(value);
          else this.set({ [label]: key }, value);
        }
        // `reset` writes a zero for a gauge without labels: nothing is known, and zero would say otherwise.
        if (label === '' && values.size === 0) this.set(Number.NaN);
      },
    });
  }

  /** The text that a scrape is answered with, and its content type. */
  async scrape(): Promise<{ type: string; text: string }> {
    return { type: this.registry.contentType, text: await this.registry.metrics() };
  }
}
