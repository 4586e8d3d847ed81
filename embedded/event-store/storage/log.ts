/** Where the store reports to. It never passes a payload, the name of a stream or a connection string. */
export type Log = (
  level: 'info' | 'warn' | 'error',
  message: string,
  detail?: Record<string, string | number>,
) => void;

/** Logs nothing. */
export const noLog: Log = () => undefined;

/** What may be logged of an error: its name, and the code and constraint of a database error, never values. */
export function errorDetail(error: unknown): Record<string, string> {
  const { name, code, constraint } = error as { name?: unknown; code?: unknown; constraint?: unknown };
  return {
    error: typeof name === 'string' ? name : 'unknown',
    ...(typeof code === 'string' && { code }),
    ...(typeof constraint === 'string' && { constraint }),
  };
}
