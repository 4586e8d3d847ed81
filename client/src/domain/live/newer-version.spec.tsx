import { render, screen } from '@testing-library/react';
import { ToastCorner } from '../../lib/toast-corner.js';
import { tellOfOtherBuild } from './newer-version.js';

const SENTENCE = /There is another version of this site/;

it('says once that the server has another site than the page is of, with the way to get it', async () => {
  const meta = document.createElement('meta');
  meta.name = 'lectern-build';
  document.head.append(meta);
  render(<ToastCorner />);
  // Neither a page nor a server that does not know, nor the same build, is another one.
  tellOfOtherBuild('two');
  meta.content = 'one';
  tellOfOtherBuild(null);
  tellOfOtherBuild('one');
  tellOfOtherBuild('two');
  expect(await screen.findByText(SENTENCE)).toBeTruthy();
  expect(screen.getByRole('button', { name: 'Reload' })).toBeTruthy();
  tellOfOtherBuild('three');
  tellOfOtherBuild('two');
  expect(screen.getAllByText(SENTENCE)).toHaveLength(1);
});
