/** Milliseconds: what takes a moment may take this long where the machine does much else. Only what fails waits so long. */
export const TIMEOUT = 60_000;

/**
 * Looks again and again until the probe gives something, and gives that.
 * @throws an Error when that takes longer than the time allowed
 */
export async function waitFor<Result>(
  probe: () => Promise<Result | undefined | false> | Result | undefined | false,
  milliseconds = TIMEOUT,
): Promise<Result> {
  const began = Date.now();
  for (;;) {
    const result = await probe();
    if (result !== undefined && result !== false) return result;
    const waited = Date.now() - began;
    if (waited > milliseconds) throw new Error('It did not come true in time.');
    await new Promise((resolve) => setTimeout(resolve, pauseAfter(waited)));
  }
}

/** Looking takes time of the processors too, which what is waited for may need: the longer it takes, the more seldom. */
function pauseAfter(waited: number): number {
  return Math.min(Math.max(20, waited / 8), 150);
}

/** Makes a call until it is not told to come again, as it may be where all that follows the log is at many events at once. */
export function untilServed<Answer extends { status: number }>(call: () => Promise<Answer>): Promise<Answer> {
  return waitFor(async () => {
    const answer = await call();
    return answer.status === 503 ? undefined : answer;
  });
}
