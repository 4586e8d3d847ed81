/** Chromium comes from the system or from the npm package @sparticuz/chromium; nothing is downloaded. */
module.exports = { skipDownload: true };
