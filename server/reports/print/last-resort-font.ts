import { writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { escapeHtml } from './html.js';

/**
 * Chromium does not start a page at all where the system has not a single font, even if the page brings its own. So
 * that it always has one, fontconfig is told of those that come with the barcodes, beside what the system says.
 * @param environment of the browser
 * @param folder where the configuration is written
 * @returns the environment with that configuration
 */
export function withLastResortFont(
  environment: Record<string, string>,
  folder: string,
): Record<string, string> {
  if (process.platform !== 'linux') return environment;
  const set = (name: string) => environment[name] ?? process.env[name];
  const system = set('FONTCONFIG_FILE') ?? join(set('FONTCONFIG_PATH') ?? '/etc/fonts', 'fonts.conf');
  const fonts = join(dirname(createRequire(import.meta.url).resolve('bwip-js/node')), '../fonts');
  const path = join(folder, 'fonts.conf');
  writeFileSync(
    path,
    `<?xml version="1.0"?><!DOCTYPE fontconfig SYSTEM "fonts.dtd">
<fontconfig><include ignore_missing="yes">${escapeHtml(system)}</include><dir>${escapeHtml(fonts)}</dir></fontconfig>`,
  );
  return { ...environment, FONTCONFIG_FILE: path };
}
