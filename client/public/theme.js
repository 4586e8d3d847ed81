(function () {
  var kept = null;
  try {
    kept = localStorage.getItem('darkMode');
  } catch {
    // Storage may be closed to us; then the system's preference decides.
  }
  var dark = kept === null ? matchMedia('(prefers-color-scheme: dark)').matches : kept === 'true';
  document.documentElement.dataset.theme = dark ? 'dark' : 'light';

  // Whoever asks for a page of the site's own does not see first what the server shows at this address.
  if (/^#\//.test(location.hash)) document.documentElement.dataset.elsewhere = '';

  // What the page of this address is drawn with comes beside the site itself.
  var said = function (name) {
    return document.querySelector('meta[name="lectern-' + name + '"]').content;
  };
  var parts = said('parts');
  var page = (location.hash.slice(2) || said('route').slice(1)).split(/[/?]/)[0];
  (parts ? JSON.parse(parts)[page] || [] : []).forEach(function (file) {
    var link = document.createElement('link');
    var isStyle = /\.css$/.test(file);
    link.rel = isStyle ? 'preload' : 'modulepreload';
    if (isStyle) {
      link.as = 'style';
      // As the site itself asks for it later: otherwise it comes twice.
      link.crossOrigin = '';
    }
    link.href = '/' + file;
    document.head.append(link);
  });

  // What the server shows at this address, or that the site is loading, is on the screen before the site begins.
  document.addEventListener('DOMContentLoaded', function () {
    var begin = function () {
      document.querySelectorAll('link[data-site]').forEach(function (link) {
        var script = document.createElement('script');
        script.type = 'module';
        script.crossOrigin = '';
        script.src = link.href;
        document.head.append(script);
      });
    };
    // Nothing is drawn of a page in the background.
    if (document.hidden) return begin();
    requestAnimationFrame(function () {
      requestAnimationFrame(begin);
    });
  });
})();
