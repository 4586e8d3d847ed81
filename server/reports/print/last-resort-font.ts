import { writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { escapeHtml } from './html.js';

/**
 * Chromium renders no page at all on a system without any font, even if the page embeds its own. Therefore this adds
 * the fonts bundled with the barcode library to the system's fontconfig.
 * @param environment of the browser
 * @param folder for the configuration
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
