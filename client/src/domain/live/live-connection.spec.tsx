import { jest } from '@jest/globals';
import { render, screen } from '@testing-library/react';
import { sees } from '../../../test-support/on-screen.js';
import { ToastCorner } from '../../lib/toast-corner.js';
import { watchOver, watchReader } from './watch-reader.js';
import { notifyNewVersion } from './new-version-notice.js';

/** The far end of a connection, as the server is to it. */
function connection() {
  const handlers = new Map<string, (message: unknown) => void>();
  const sent: [string, unknown][] = [];
  let answer: unknown = { kind: 'watching', revision: 4 };
  const socket = {
    connected: true,
    on: (name: string, handler: (message: unknown) => void) => handlers.set(name, handler),
    emit: (name: string, message: unknown, answered?: (answer: unknown) => void) => {
      sent.push([name, message]);
      answered?.(answer);
    },
  };
  return {
    socket: socket as unknown as Parameters<typeof watchOver>[0],
    sent,
    tell: (message: unknown) => handlers.get('readerEvents')?.(message),
    answerWith: (next: unknown) => (answer = next),
    lose: () => (socket.connected = false),
    find: () => (socket.connected = true),
  };
}

describe('watching a reader', () => {
  const watcher = () => ({ onRevision: jest.fn(), onRefused: jest.fn() });

  it('tells where the history is now, and each time that it grows', () => {
    const server = connection();
    const over = watchOver(server.socket);
    const { onRevision, onRefused } = watcher();
    const stop = watchReader('a', { onRevision, onRefused });
    server.tell({ readerId: 'a', revision: 5 });
    server.tell({ readerId: 'b', revision: 9 });
    expect(onRevision.mock.calls).toEqual([[4], [5]]);
    stop();
    server.tell({ readerId: 'a', revision: 6 });
    expect(onRevision).toHaveBeenCalledTimes(2);
    expect(server.sent).toEqual([
      ['watchReader', { readerId: 'a' }],
      ['unwatchReader', { readerId: 'a' }],
    ]);
    over.stop();
  });

  it('asks again after a loss, also for what was asked for meanwhile', () => {
    const server = connection();
    const over = watchOver(server.socket);
    server.lose();
    const { onRevision, onRefused } = watcher();
    const stop = watchReader('a', { onRevision, onRefused });
    expect(server.sent).toEqual([]);
    server.find();
    over.again();
    expect(onRevision.mock.calls).toEqual([[4]]);
    stop();
    over.stop();
  });

  it('goes on for the others when one of them has seen enough', () => {
    const server = connection();
    const over = watchOver(server.socket);
    const [one, other] = [watcher(), watcher()];
    const stopOne = watchReader('a', one);
    const stopOther = watchReader('a', other);
    stopOne();
    expect(server.sent.map(([name]) => name)).not.toContain('unwatchReader');
    stopOther();
    expect(server.sent.at(-1)).toEqual(['unwatchReader', { readerId: 'a' }]);
    over.stop();
  });

  it('says why it is refused', () => {
    const server = connection();
    const over = watchOver(server.socket);
    server.answerWith({ kind: 'refused', code: 'NotAllowed', detail: 'You may not do this.' });
    const { onRevision, onRefused } = watcher();
    watchReader('a', { onRevision, onRefused })();
    expect(onRefused.mock.calls).toEqual([['You may not do this.']]);
    expect(onRevision).not.toHaveBeenCalled();
    over.stop();
  });
});

const SENTENCE = /A new version of this site/;

it('says once that the server has another site than the page is of, with the way to get it', async () => {
  const meta = document.createElement('meta');
  meta.name = 'lectern-build';
  document.head.append(meta);
  render(<ToastCorner />);
  // Neither a page nor a server that does not know, nor the same build, is another one.
  notifyNewVersion('two');
  meta.content = 'one';
  notifyNewVersion(null);
  notifyNewVersion('one');
  notifyNewVersion('two');
  await sees(SENTENCE);
  expect(screen.getByRole('button', { name: 'Reload' })).toBeTruthy();
  notifyNewVersion('three');
  notifyNewVersion('two');
  expect(screen.getAllByText(SENTENCE)).toHaveLength(1);
});
