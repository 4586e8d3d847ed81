/** Exit codes of the command lines over the log. */
export const EXIT = { clean: 0, differences: 1, couldNotRun: 2 } as const;

/** Ends a command line that could not do its work. */
export function couldNotRun(error: unknown): void {
  const { code, message } = error as NodeJS.ErrnoException;
  const isWithoutTables = code === '42P01' || code === '3F000';
  process.stderr.write(
    isWithoutTables ? 'This database has no library in it yet: start Lectern once.\n' : `${message}\n`,
  );
  process.exitCode = EXIT.couldNotRun;
}
