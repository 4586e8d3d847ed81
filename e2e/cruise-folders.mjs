// Says which rules of the architecture the trees in folders break. One process for all of them: it takes longer to
// start than to look at a few files. Their paths are its arguments; it writes a list of what it found in each.
import { existsSync } from 'node:fs';
import { cruise } from 'dependency-cruiser';
import extractTSConfig from 'dependency-cruiser/config-utl/extract-ts-config';
import files from '../.dependency-cruiser.cjs';
import folders from '../.dependency-cruiser-folders.cjs';
import { ROOMS } from '../scripts/rooms.mjs';

const TREES = [...ROOMS, 'bench', 'e2e', 'test-support'];

async function breaches({ forbidden, options }) {
  const { output } = await cruise(
    TREES.filter((tree) => existsSync(tree)),
    { ...options, validate: true, ruleSet: { forbidden } },
    undefined,
    { tsConfig: extractTSConfig('tsconfig.json') },
  );
  const { totalCruised, violations } = output.summary;
  if (totalCruised === 0) throw new Error(`There is nothing to look at in ${process.cwd()}.`);
  return violations.map(({ rule, from, to }) => ({ rule: rule.name, from, to }));
}

const found = [];
for (const folder of process.argv.slice(2)) {
  process.chdir(folder);
  found.push([...(await breaches(files)), ...(await breaches(folders))]);
}
process.stdout.write(JSON.stringify(found));
