import { Command } from 'commander';

/**
 * A command line that explains itself: what is missing or unknown is named, with where to read on.
 * @param name as in `npm run <name>`
 * @param refused the exit code where it is called wrongly
 */
export function commandLine(name: string, description: string, refused: number): Command {
  return new Command(`npm run ${name} --`)
    .description(description)
    .showHelpAfterError(`What it takes: npm run ${name} -- --help`)
    .exitOverride((error) => process.exit(error.exitCode === 0 ? 0 : refused));
}
