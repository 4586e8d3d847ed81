// What `npm run test:drills` runs: the drills, and every file with properties, which try many examples there.
const { readFileSync } = require('node:fs');

const HAS_PROPERTIES = /from '.*\/for-all\.js'/;

module.exports = (paths) => ({
  filtered: paths.filter(
    (path) => path.endsWith('.drill.spec.ts') || HAS_PROPERTIES.test(readFileSync(path, 'utf8')),
  ),
});
