import { Command } from 'commander';

/** Exit codes of the command lines over the log. */
export const EXIT = { clean: 0, differences: 1, couldNotRun: 2 } as const;

/** A command line that explains itself: what is missing or unknown is named, with where to read on. */
class CommandLine extends Command {
  /**
   * @param script as in `npm run <script>`
   * @param failed the exit code where it is called wrongly or could not do its work
   */
  constructor(
    script: string,
    description: string,
    private readonly failed: number,
  ) {
    super(`npm run ${script} --`);
    // Node's own code for it may mean something else here, such as that differences were found.
    for (const unexpected of ['uncaughtException', 'unhandledRejection'] as const) {
      process.on(unexpected, (error: unknown) => {
        process.stderr.write(`npm run ${script} met an error that nothing handles: ${errorName(error)}\n`);
        process.exit(failed);
      });
    }
    this.description(description)
      .showHelpAfterError(`What it takes: npm run ${script} -- --help`)
      .exitOverride((error) => process.exit(error.exitCode === 0 ? 0 : failed));
  }

  /**
   * Does what the process was called for.
   * @param help what is said below the options
   * @param work loaded when it is asked for: help and what is wrong in the call are told at once
   */
  async run<Given extends unknown[]>(
    help: string,
    work: () => Promise<{ run: (...given: Given) => Promise<void> }>,
  ): Promise<void> {
    this.addHelpText('after', help).action(async (...given: Given) => (await work()).run(...given));
    try {
      await this.parseAsync();
    } catch (error) {
      const { code, message, exitCode } = error as NodeJS.ErrnoException & Partial<Refused>;
      const isWithoutTables = code === '42P01' || code === '3F000';
      process.stderr.write(
        isWithoutTables ? 'This database has no library in it yet: start Lectern once.\n' : `${message}\n`,
      );
      process.exitCode = exitCode ?? this.failed;
    }
  }
}

/** The work was done as far as it could be looked at, and the answer is no: it ends with `EXIT.differences`. */
export class Refused extends Error {
  // Told by what it has: the build puts a class of this name into each of a command's two files.
  readonly exitCode = EXIT.differences;
}

export const commandLine = (...of: ConstructorParameters<typeof CommandLine>) => new CommandLine(...of);

const errorName = (error: unknown) =>
  error instanceof Error ? (error.stack ?? error.message) : String(error);
