/**
 * Gives up waiting for work that may never settle. The work itself goes on.
 * @param milliseconds most that is waited
 * @param message what the error says
 * @throws an Error with this message when the time is over, else what the work throws
 */
export async function within<Result>(
  milliseconds: number,
  work: Promise<Result>,
  message: string,
): Promise<Result> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(new Error(message)), milliseconds);
  });
  try {
    return await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
  }
}
