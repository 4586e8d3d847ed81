/** Somebody gave up waiting. What was waited for may have been done, or may be done yet. */
export class TimeoutError extends Error {
  override readonly name = 'TimeoutError';
}

/** The longest that a timer takes. */
const LONGEST = 2 ** 31 - 1;

/**
 * Gives up waiting for work that may never settle. The work itself goes on.
 * @param milliseconds most that is waited
 * @param message what the error says
 * @throws TimeoutError with this message when the time is over, else what the work throws
 */
export async function withTimeout<Result>(
  milliseconds: number,
  work: Promise<Result>,
  message: string,
): Promise<Result> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(new TimeoutError(message)), Math.min(milliseconds, LONGEST));
  });
  try {
    return await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
  }
}
