import { PUBLIC_PAGES, publicThingAt } from '#contracts/public-address.js';

// Where a page was come to by its address for everybody, it becomes the site's own: before anything asks where it is.
const { pathname, search, hash } = window.location;
const thing = publicThingAt(pathname);
if (hash.startsWith('#/')) document.getElementById('public')?.remove();
if (thing && pathname !== '/') {
  const route = PUBLIC_PAGES[thing.kind].route(thing.id);
  const page = new URLSearchParams(search).get('page');
  const at = page === null ? '' : `${route.includes('?') ? '&' : '?'}page=${page}`;
  window.history.replaceState(null, '', `/${hash || `#${route}${at}`}`);
}
