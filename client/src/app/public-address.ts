import { served } from '../domain/library.js';

// Where a page was come to by its address for everybody, it becomes the site's own: before anything asks where it is.
const { pathname, hash } = window.location;
if (pathname !== '/') window.history.replaceState(null, '', `/${hash || `#${served('route')}`}`);
