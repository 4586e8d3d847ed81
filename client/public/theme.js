/* global document, localStorage, matchMedia */
(function () {
  var kept = null;
  try {
    kept = localStorage.getItem('darkMode');
  } catch {
    // Storage may be closed to us; then the system's preference decides.
  }
  var dark = kept === null ? matchMedia('(prefers-color-scheme: dark)').matches : kept === 'true';
  document.documentElement.dataset.theme = dark ? 'dark' : 'light';
})();
