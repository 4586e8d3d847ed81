/** What a page tells about a visit. Times in milliseconds since its navigation began, sizes in bytes as they came. */
export interface PageFigures {
  fcp: number;
  lcp: number;
  /** All shifts that nobody caused, added up. */
  cls: number;
  scriptsToFirstPaint: number;
  scriptsToLargestPaint: number;
  scripts: number;
  /** The longest task; of those since typing began, where somebody typed. */
  longestTask: number;
  /** From a key to the next picture, the slowest; 0 where nobody typed, or none took 16 ms. */
  slowestKey: number;
}

/** A script for a page, run before its own. */
export const OBSERVE_PAGE = `
  (() => {
    const seen = { fcp: 0, lcp: 0, cls: 0, tasks: [], keys: [] };
    let typingSince = 0;
    const observe = (type, take, more = {}) =>
      new PerformanceObserver((list) => list.getEntries().forEach(take)).observe({ type, buffered: true, ...more });
    observe('paint', (entry) => { if (entry.name === 'first-contentful-paint') seen.fcp = entry.startTime; });
    observe('largest-contentful-paint', (entry) => { seen.lcp = entry.startTime; });
    observe('layout-shift', (entry) => { if (!entry.hadRecentInput) seen.cls += entry.value; });
    observe('longtask', (entry) => seen.tasks.push(entry));
    observe('event', (entry) => { if (entry.name.startsWith('key')) seen.keys.push(entry.duration); }, { durationThreshold: 16 });
    const most = (values) => Math.max(0, ...values);
    window.beginTyping = () => { typingSince = performance.now(); };
    window.pageFigures = () => {
      const scripts = performance.getEntriesByType('resource').filter(({ name }) => name.endsWith('.js'));
      const until = (time) => scripts.filter(({ responseEnd }) => responseEnd <= time)
        .reduce((sum, { encodedBodySize }) => sum + encodedBodySize, 0);
      return {
        fcp: seen.fcp,
        lcp: seen.lcp,
        cls: seen.cls,
        scriptsToFirstPaint: until(seen.fcp),
        scriptsToLargestPaint: until(seen.lcp),
        scripts: until(Infinity),
        longestTask: most(seen.tasks.filter(({ startTime }) => startTime >= typingSince).map(({ duration }) => duration)),
        slowestKey: most(seen.keys),
      };
    };
  })();`;
