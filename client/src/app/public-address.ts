/** Where a book's page was come to by its address for everybody, it becomes the site's own: before anything asks where it is. */
const [, page] = /^\/(book\/\d+)/.exec(window.location.pathname) ?? [];
if (page !== undefined) window.history.replaceState(null, '', `/${window.location.hash || `#/${page}`}`);
