import { render } from '@testing-library/react';
import { sees, screen } from '../../../test-support/on-screen.js';
import { ToastCorner } from '../../lib/toast-corner.js';
import { notifyNewVersion } from './new-version-notice.js';

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
