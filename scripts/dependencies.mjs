// Reports imports that break a rule of the architecture (`.dependency-cruiser.cjs`), and folders of the product that import each
// other in a circle. dependency-cruiser has such a rule, but would have to read all files a second time without the tests.
import { existsSync } from 'node:fs';
import { dirname } from 'node:path/posix';
import { pathToFileURL } from 'node:url';
import { cruise } from 'dependency-cruiser';
import config from '../.dependency-cruiser.cjs';
import { ROOMS } from './rooms.mjs';

const TREES = [...ROOMS, 'bench', 'e2e', 'test-support'];
const OF_FOLDERS = 'no-cycles-of-folders';
export const RULES = [...config.forbidden.map(({ name }) => name), OF_FOLDERS];

/** @returns for each breach in the current folder, the rule, the file or folder, and what it imports */
export async function breaches() {
  const { forbidden, options } = config;
  const { output } = await cruise(
    TREES.filter((tree) => existsSync(tree)),
    { ...options, validate: true, ruleSet: { forbidden } },
  );
  const { totalCruised, violations } = output.summary;
  if (totalCruised === 0) throw new Error(`There is nothing to look at in ${process.cwd()}.`);
  return [
    ...violations.map(({ rule, from, to, cycle }) => ({
      rule: rule.name,
      from,
      to: cycle?.map(({ name }) => name).join(' → ') ?? to,
    })),
    ...circles(importsOfFolders(output.modules)).map(([from, ...others]) => ({
      rule: OF_FOLDERS,
      from,
      to: [...others, from].join(' → '),
    })),
  ];
}

const isOfProduct = (path) => ROOMS.includes(path.split('/')[0]) && !/\.spec\.tsx?$/.test(path);

/** The folders that each folder imports: what is in it, at any depth, may import what is outside of it. */
function importsOfFolders(modules) {
  const imports = new Map();
  for (const { source, dependencies } of modules) {
    if (!isOfProduct(source)) continue;
    for (const { resolved } of dependencies.filter((each) => isOfProduct(each.resolved))) {
      for (let folder = dirname(source); folder !== '.'; folder = dirname(folder)) {
        if (resolved.startsWith(`${folder}/`)) break;
        imports.set(folder, (imports.get(folder) ?? new Set()).add(dirname(resolved)));
      }
    }
  }
  return imports;
}

/** Circles in a graph, at least one if there is any. */
function circles(graph) {
  const found = [];
  const path = [];
  const done = new Set();
  const visit = (node) => {
    if (path.includes(node)) found.push(path.slice(path.indexOf(node)));
    if (path.includes(node) || done.has(node)) return;
    path.push(node);
    for (const next of graph.get(node) ?? []) visit(next);
    done.add(path.pop());
  };
  for (const node of graph.keys()) visit(node);
  return found;
}

if (process.argv[1] && import.meta.url === pathToFileURL(process.argv[1]).href) {
  const found = await breaches();
  for (const { rule, from, to } of found) console.error(`${rule}: ${from} → ${to}`);
  process.exitCode = found.length === 0 ? 0 : 1;
}
