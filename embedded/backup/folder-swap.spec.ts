import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { rename } from 'node:fs/promises';
import { join } from 'node:path';
import { temporaryFolder } from '../../test-support/installation/temporary-folder.js';
import { stagingFolderIn, swapContents, finishSwap, installationIn, isSwapUnderWay } from './folder-swap.js';

describe('the exchange of what is in a data folder', () => {
  let folder: string;
  let draft: string;

  beforeEach(() => {
    folder = temporaryFolder();
    draft = stagingFolderIn(folder, 'abc');
    mkdirSync(draft);
  });
  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  const fill = (into: string, files: Record<string, string>) => {
    for (const [name, text] of Object.entries(files)) {
      mkdirSync(join(into, name));
      writeFileSync(join(into, name, 'file'), text);
    }
  };
  const held = (in_: string, names: string[]) =>
    Object.fromEntries(names.map((name) => [name, readFileSync(join(in_, name, 'file'), 'utf8')]));
  const OLD = { postgres: 'old', mailbox: 'old', running: 'old' };
  const NEW = { postgres: 'new', mailbox: 'new', secret: 'new' };

  // Three things go aside and three come in, so that the seventh move is one too many.
  it.each([0, 1, 2, 3, 4, 5, 6])(
    'is finished by whoever comes next, where it was killed after %i moves',
    async (moves) => {
      fill(folder, OLD);
      fill(draft, NEW);
      mkdirSync(join(folder, 'lost+found'));
      let left = moves;
      const killed = async (from: string, to: string) => {
        if (left === 0) throw new Error('killed');
        left -= 1;
        await rename(from, to);
      };
      const outcome = await swapContents(folder, draft, killed).then(
        () => 'done',
        (error: Error) => error.message,
      );
      expect(outcome).toBe(moves < 6 ? 'killed' : 'done');
      expect(isSwapUnderWay(folder)).toBe(moves < 6);

      const before =
        (await finishSwap(folder)) ??
        join(folder, readdirSync(folder).find((name) => name.startsWith('.before-')) ?? '');
      expect(isSwapUnderWay(folder)).toBe(false);
      expect((await installationIn(folder)).sort()).toEqual(Object.keys(NEW).sort());
      expect(held(folder, Object.keys(NEW))).toEqual(NEW);
      expect(held(before, Object.keys(OLD))).toEqual(OLD);
      expect(existsSync(draft)).toBe(false);
      expect(existsSync(join(folder, 'lost+found'))).toBe(true);
      expect(await finishSwap(folder)).toBeUndefined();
    },
  );

  it('sets nothing aside where nothing was', async () => {
    fill(draft, NEW);
    expect(await swapContents(folder, draft)).toBeUndefined();
    expect(readdirSync(folder).sort()).toEqual(Object.keys(NEW).sort());
  });

  it('goes nowhere else, whatever its marker says', async () => {
    const names = { draft: '.restoring-abc', old: ['../secret'], new: ['postgres'], before: '.before-now' };
    writeFileSync(join(folder, '.exchange.json'), JSON.stringify(names));
    await expect(finishSwap(folder)).rejects.toThrow();
  });
});
