import { Command, type Option } from 'commander';
import { currentLanguage, inLanguage, terminalLanguage } from '#platform/language.js';
import * as m from '#words/messages.js';

/** Exit codes of the command lines over the log. */
export const EXIT = { clean: 0, differences: 1, couldNotRun: 2 } as const;

/** What Commander says by itself, said in messages. */
const WORDS: Record<string, () => string> = {
  'Usage:': m.cli_usage,
  '[options]': m.cli_usage_options,
  'Arguments:': m.cli_arguments,
  'Options:': m.cli_options,
};
const inWords = (text: string) => WORDS[text]?.() ?? text;
const ERRORS: [RegExp, (found: string[]) => string][] = [
  [/^error: missing required argument '(.*)'$/m, ([name = '']) => m.cli_missing_argument({ name })],
  [/^error: option '(.*)' argument missing$/m, ([option = '']) => m.cli_option_without_value({ option })],
  [/^error: required option '(.*)' not specified$/m, ([option = '']) => m.cli_missing_option({ option })],
  [/^error: unknown option '(.*)'$/m, ([option = '']) => m.cli_unknown_option({ option })],
  [
    /^error: option '(.*?)' argument '(.*)' is invalid\. (.*)$/m,
    ([option = '', value = '', reason = '']) => m.cli_invalid_option({ option, value, reason }),
  ],
  [
    /^error: too many arguments\. Expected (\d+) arguments? but got (\d+)\.$/m,
    ([expected = '', given = '']) => m.cli_too_many_arguments({ expected: Number(expected), given }),
  ],
  [/^\(Did you mean one of (.*)\?\)$/m, ([options = '']) => m.cli_did_you_mean_one_of({ options })],
  [/^\(Did you mean (.*)\?\)$/m, ([option = '']) => m.cli_did_you_mean({ option })],
];

/** A command line that explains itself: what is missing or unknown is named, with where to read on. */
class CommandLine extends Command {
  /**
   * @param script as in `npm run <script>`
   * @param failed the exit code where it is called wrongly or could not do its work
   */
  constructor(
    script: string,
    private readonly failed: number,
  ) {
    super(`npm run ${script} --`);
    const language = currentLanguage();
    // Node's own code for it may mean something else here, such as that differences were found.
    for (const unexpected of ['uncaughtException', 'unhandledRejection'] as const) {
      process.on(unexpected, (thrown: unknown) => {
        const error = errorName(thrown);
        process.stderr.write(`${inLanguage(language, () => m.cli_unhandled_error({ script, error }))}\n`);
        process.exit(failed);
      });
    }
    this.helpOption('-h, --help', m.cli_help_option())
      .configureHelp({ styleTitle: inWords, styleOptionText: inWords, optionDescription })
      .configureOutput({ outputError: (text, write) => write(inMessages(text)) })
      .showHelpAfterError(m.cli_read_on({ script }))
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
    this.addHelpText('after', `\n${help}`).action(async (...given: Given) => (await work()).run(...given));
    try {
      await this.parseAsync();
    } catch (error) {
      const { code, message, exitCode } = error as NodeJS.ErrnoException & Partial<Refused>;
      const isWithoutTables = code === '42P01' || code === '3F000';
      process.stderr.write(`${isWithoutTables ? m.cli_no_library_in_database() : message}\n`);
      process.exitCode = exitCode ?? this.failed;
    }
  }
}

/** The work was done as far as it could be looked at, and the answer is no: it ends with `EXIT.differences`. */
export class Refused extends Error {
  // Told by what it has: the build puts a class of this name into each of a command's two files.
  readonly exitCode = EXIT.differences;
}

/**
 * A command line, in the language of the terminal.
 * @param define says what it takes, and runs it
 */
export async function commandLine(
  script: string,
  failed: number,
  define: (command: CommandLine) => Promise<void>,
): Promise<void> {
  await inLanguage(terminalLanguage(process.env), () => define(new CommandLine(script, failed)));
}

/** As Commander's own: what may be chosen, and what counts where nothing is said. */
function optionDescription({ description, argChoices, defaultValue }: Option): string {
  const more = [
    ...(argChoices
      ? [m.cli_choices({ choices: argChoices.map((choice) => JSON.stringify(choice)).join(', ') })]
      : []),
    ...(defaultValue === undefined ? [] : [m.cli_default({ value: JSON.stringify(defaultValue) })]),
  ];
  return more.length > 0 ? `${description} (${more.join(', ')})` : description;
}

function inMessages(text: string): string {
  return ERRORS.reduce(
    (said, [pattern, message]) => said.replace(pattern, (_all, ...found: string[]) => message(found)),
    text,
  );
}

const errorName = (error: unknown) =>
  error instanceof Error ? (error.stack ?? error.message) : String(error);
