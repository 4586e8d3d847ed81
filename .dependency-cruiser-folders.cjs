const { options } = require('./.dependency-cruiser.cjs');

/**
 * The rooms as a whole: no two of them need each other. Apart from the other rules, as tests may reach anywhere.
 * @type {import('dependency-cruiser').IConfiguration}
 */
module.exports = {
  forbidden: [
    { name: 'no-cycles-of-folders', severity: 'error', scope: 'folder', from: {}, to: { circular: true } },
  ],
  options: {
    ...options,
    exclude: { path: '^(dist|data|test-support|bench|e2e)/|\\.spec\\.tsx?$' },
  },
};
