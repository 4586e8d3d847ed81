import type { ChildProcess } from 'node:child_process';

/**
 * The next message of a process of our own.
 * @throws when it ends instead
 */
export function answerOf<Message>(child: ChildProcess): Promise<Message> {
  return new Promise((resolve, reject) => {
    const ended = () => reject(new Error('A process of the benchmark ended too early.'));
    child.once('exit', ended);
    child.once('message', (message) => {
      child.off('exit', ended);
      resolve(message as Message);
    });
  });
}
