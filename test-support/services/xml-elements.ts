import { SaxesParser } from 'saxes';

/** The texts and attributes of all elements of a name. @throws where it is not well-formed */
export function elementsOf(
  xml: string,
  name: string,
): { text: string; attributes: Record<string, string> }[] {
  const found: { text: string; attributes: Record<string, string> }[] = [];
  const open: string[] = [];
  const parser = new SaxesParser({ xmlns: false });
  parser.on('error', (error) => {
    throw error;
  });
  parser.on('opentag', (tag) => {
    open.push(tag.name);
    if (tag.name === name) found.push({ text: '', attributes: tag.attributes });
  });
  parser.on('text', (text) => {
    const last = found.at(-1);
    if (last && open.at(-1) === name) last.text += text;
  });
  parser.on('closetag', () => void open.pop());
  parser.write(xml).close();
  return found;
}

export const textsOf = (xml: string, name: string): string[] => elementsOf(xml, name).map(({ text }) => text);
