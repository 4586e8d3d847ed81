import { fork, type ChildProcess } from 'node:child_process';
import { answerOf } from './child-answer.js';
import type { Judgement, LoadAnswer, LoadOrder, ToldEvent } from './console-load.js';
import type { ConsolePlan, Rows } from './console.js';

/** Connections of each cut, in each of the two processes. */
const CUT_AT_ONCE = 5;

/** The two processes whose windows are open. */
export class ConsoleLoads {
  private readonly processes: ChildProcess[];

  /** @param program what runs as a load when its first argument says so */
  constructor(program: string) {
    this.processes = [1, 2].map(() => fork(program, ['load']));
  }

  async open(url: string, plans: readonly ConsolePlan[]): Promise<number[]> {
    const answers = await this.ask((at) => ({
      kind: 'open',
      url,
      consoles: plans.filter((_, index) => index % this.processes.length === at),
    }));
    return answers.flatMap((answer) => (answer.kind === 'opened' ? answer.ms : []));
  }

  async cut(): Promise<void> {
    await this.ask(() => ({ kind: 'cut', connections: CUT_AT_ONCE }));
  }

  async judge(events: ToldEvent[], rows: Rows): Promise<Judgement> {
    const judged = (await this.ask(() => ({ kind: 'judge', events, rows }))).flatMap((answer) =>
      answer.kind === 'judged' ? [answer] : [],
    );
    const sum = (of: (each: Judgement) => number) => judged.reduce((before, each) => before + of(each), 0);
    return {
      borrows: judged.flatMap(({ borrows }) => borrows),
      copies: judged.flatMap(({ copies }) => copies),
      returns: sum(({ returns }) => returns),
      refetches: sum(({ refetches }) => refetches),
      wrong: sum(({ wrong }) => wrong),
    };
  }

  close(): void {
    for (const each of this.processes) if (each.connected) each.disconnect();
  }

  private ask(order: (at: number) => LoadOrder): Promise<LoadAnswer[]> {
    return Promise.all(
      this.processes.map((each, at) => {
        const answer = answerOf<LoadAnswer>(each);
        each.send(order(at));
        return answer;
      }),
    );
  }
}
