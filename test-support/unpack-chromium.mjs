// Unpacks the Chromium of the npm package into TMPDIR, and prints where it is and which libraries it needs. A process
// of its own, because the package reads its environment while it is loaded.
const { default: chromium } = await import('@sparticuz/chromium');
const executablePath = await chromium.executablePath();
process.stdout.write(
  JSON.stringify({
    executablePath,
    environment: {
      LD_LIBRARY_PATH: process.env.LD_LIBRARY_PATH ?? '',
      FONTCONFIG_PATH: process.env.FONTCONFIG_PATH ?? '',
    },
  }),
);
