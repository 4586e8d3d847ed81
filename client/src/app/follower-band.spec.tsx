import type { FollowersView } from '#contracts/dashboard/followers.js';
import { sees, screen } from '../../test-support/on-screen.js';
import { asAdmin, show } from '../../test-support/screen.js';
import { answered, serverOf } from '../../test-support/server.js';
import { AdminShell } from './admin-shell.js';

const FOLLOWERS = 'GET Dashboard/followers';
const stopped: FollowersView[number] = {
  name: 'projection',
  state: 'stopped',
  since: '2026-11-21T12:00:00.000Z',
  reason: 'The event BooksLost, version 1, cannot be read: its type is unknown',
  event: { stream: 'borrows-1', revision: '5', position: '4711', type: 'BooksLost' },
};

const shown = (view: FollowersView) => {
  serverOf({ [FOLLOWERS]: answered(view) });
  return show(
    [{ path: '/admin', element: <AdminShell />, children: [{ index: true, element: <p>an area</p> }] }],
    '/admin',
  );
};

describe('what admins are told of followers of the event log', () => {
  asAdmin();

  it('is which one stopped, at which event and what to do', async () => {
    shown([stopped]);
    const band = await screen.findByRole('alert');
    expect(band.textContent).toMatch(/The lists have stopped/);
    expect(band.textContent).toMatch(/its type is unknown/);
    expect(band.textContent).toMatch(/BooksLost, revision 5 of borrows-1, position 4711/);
    expect(band.textContent).toContain('npm run skip-event -- --stream borrows-1 --revision 5');
  });

  it('is what one waits for, without a command', async () => {
    shown([{ ...stopped, name: 'letters', state: 'retrying', reason: 'UnavailableError 14', event: null }]);
    const band = await screen.findByRole('alert');
    expect(band.textContent).toMatch(/Letters about borrows are waiting.*UnavailableError 14/);
    expect(band.textContent).not.toContain('npm run');
  });

  it('is nothing where all is well', async () => {
    shown([]);
    await sees('an area');
    expect(screen.queryByRole('alert')).toBeNull();
  });
});
