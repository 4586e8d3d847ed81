import { Command } from 'commander';

/**
 * A command line that explains itself: what is missing or unknown is named, with where to read on.
 * @param name as in `npm run <name>`
 * @param refused the exit code where it is called wrongly
 */
export function commandLine(name: string, description: string, refused: number): Command {
  // Node's own code for it may mean something else here, such as that differences were found.
  for (const unexpected of ['uncaughtException', 'unhandledRejection'] as const) {
    process.on(unexpected, (error: unknown) => {
      process.stderr.write(`npm run ${name} met an error that nothing handles: ${errorName(error)}\n`);
      process.exit(refused);
    });
  }
  return new Command(`npm run ${name} --`)
    .description(description)
    .showHelpAfterError(`What it takes: npm run ${name} -- --help`)
    .exitOverride((error) => process.exit(error.exitCode === 0 ? 0 : refused));
}

/** An action whose work is loaded when it is asked for: help and what is wrong in the call are told at once. */
export function loading<Given extends unknown[]>(
  work: () => Promise<{ run: (...given: Given) => Promise<void> }>,
): (...given: Given) => Promise<void> {
  return async (...given) => (await work()).run(...given);
}

const errorName = (error: unknown) =>
  error instanceof Error ? (error.stack ?? error.message) : String(error);
