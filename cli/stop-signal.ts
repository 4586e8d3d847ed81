import * as m from '#words/messages.js';

/** Gives the work a signal that Ctrl-C, and the end that the system asks for, set off: it then undoes what it began. */
export async function withStopSignal<Result>(
  work: (signal: AbortSignal) => Promise<Result>,
): Promise<Result> {
  const stop = new AbortController();
  const stopped = new Error(m.cli_stopped());
  const onSignal = () => stop.abort(stopped);
  process.on('SIGINT', onSignal).on('SIGTERM', onSignal);
  try {
    return await work(stop.signal);
  } finally {
    process.off('SIGINT', onSignal).off('SIGTERM', onSignal);
  }
}
