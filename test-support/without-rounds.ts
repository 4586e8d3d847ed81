import { Jobs } from '#platform/jobs/jobs.js';

/**
 * Servers that a test file starts from here on in its own process begin none of the jobs that come round every minute or
 * hour: what a test counts of a job that it asks for, a round of the server's own might have done a moment before.
 */
export function withoutRounds(): void {
  Jobs.prototype.repeat = function (queue, job, _everyMs, handler) {
    this.handle(queue, job, handler);
  };
}
