import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { Script } from 'node:vm';

/** Milliseconds from the start after which what was compiled until then is kept: by then a product is open. */
const KEEP_AFTER = 6_000;

const PARAMETERS = 'exports, require, module, __filename, __dirname, __importPackage';
const FOLDER = join(import.meta.dirname, '../bundle');

type Body = (
  exports: object,
  require: (id: string) => unknown,
  module: { exports: object },
  filename: string,
  folder: string,
  /** What the build writes for `import(…)` of a package: of code that was compiled before, V8 cannot tell who imports. */
  importPackage: (id: string) => Promise<unknown>,
) => void;

/**
 * Runs an entry of the bundle that the build made of the modules. What V8 compiled for it is kept beside the bundle, and
 * taken from there by the next start: compiling is a third of loading. V8 refuses what another version of it made.
 * @param name of the entry
 * @param keptAs where one that soon ends keeps at its end what was compiled; those that are run with the same flags may share it
 * @returns what it exports
 */
export function runBundle(name: string, keptAs?: string): object {
  return new Bundle(name, keptAs).run();
}

class Bundle {
  private readonly modules = new Map<string, { exports: object }>();
  private readonly compiled = new Map<string, Script>();
  private readonly kept: string;

  constructor(
    private readonly name: string,
    private readonly keptAs: string | undefined,
  ) {
    this.kept = join(FOLDER, 'compiled', process.versions.v8, keptAs ?? name);
  }

  run(): object {
    const exported = this.load(`${this.name}.cjs`);
    if (this.keptAs !== undefined) {
      process.once('exit', () => {
        while (this.keepNext());
      });
    } else setTimeout(() => this.keep(), KEEP_AFTER).unref();
    return exported;
  }

  private load(file: string): object {
    const known = this.modules.get(file);
    if (known) return known.exports;
    const module = { exports: {} };
    this.modules.set(file, module);
    const path = join(FOLDER, file);
    const packages = createRequire(path);
    const require = Object.assign(
      (id: string): unknown => (id.startsWith('./') ? this.load(id.slice(2)) : packages(id)),
      packages,
    );
    this.compile(file, path)(module.exports, require, module, path, FOLDER, (id) => import(id));
    return module.exports;
  }

  private compile(file: string, path: string): Body {
    const source = readFileSync(path, 'utf8');
    const cachedData = this.readStored(file);
    const script = new Script(`(function (${PARAMETERS}) {${source}\n})`, {
      filename: path,
      ...(cachedData && { cachedData }),
    });
    if (!cachedData || script.cachedDataRejected) this.compiled.set(file, script);
    return script.runInThisContext() as Body;
  }

  private readStored(file: string): Buffer | undefined {
    try {
      return readFileSync(join(this.kept, file));
    } catch {
      return undefined;
    }
  }

  /** One file at a time, with other work between them. */
  private keep(): void {
    if (this.keepNext()) setImmediate(() => this.keep());
  }

  /** With the functions that ran so far, which are compiled when they are first called. False when there is none left to keep. */
  private keepNext(): boolean {
    const [next] = this.compiled;
    if (!next) return false;
    const [file, script] = next;
    this.compiled.delete(file);
    try {
      mkdirSync(this.kept, { recursive: true });
      writeWhole(join(this.kept, file), script.createCachedData());
      return true;
    } catch {
      // A folder that is not ours to write to: the next start takes as long as this one.
      this.compiled.clear();
      return false;
    }
  }
}

/** Other processes may read it at any time. */
function writeWhole(file: string, content: Buffer): void {
  const draft = `${file}.${process.pid}`;
  writeFileSync(draft, content);
  renameSync(draft, file);
}
