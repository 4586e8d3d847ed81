/**
 * Characters that look like one of ASCII, in small letters, by Unicode's list of confusables (UTS #39, 17.0), and combining
 * marks that look like another. A letter whose capital looks like another letter's than itself goes by its capital
 * (a Greek ν is an n, as Ν is an N). Left out are what NFKC makes the same, what looks like two letters, and letters that are
 * written from right to left: a name has no others beside them.
 */
const LOOKALIKES: Record<string, string> = {
  "'": 'ʹʻʼʽʾˈˊˋ˴՚՝ᑊᛌ‘’‛′‵ꞌ',
  '-': '˗‐‒–⁃−➖ⲻ',
  '.': 'ꓸ꘎',
  a: 'ɑαаᗅ⍺ꓮꭺ𐊠𖽀',
  b: 'ƅβвьᏼᑲᖯᗷⲃꓐꞵꮟ𐊂𐊡𐌁𖻑',
  c: 'сငၚᴄⲥꓚꮯ𐊢𐌂𐐽𐔜',
  d: 'ԁᑯᗞᗪꓒꓓꭰꮷ',
  e: 'εеҽ℮⋿ⴹꓰꬲꭼ𐊆𑣆𑣎',
  f: 'ƒϝքᖴẝꓝꞙꬵ𐊇𐊥𐔥𑣂',
  g: 'ƍɡԍցᏻᶃꓖꮐ',
  h: 'ηнһհᕼⲏꓧꮋꮒ𐋏',
  i: 'ıɩɪιіւ⍳ⲓꙇꭵ𑣃𖻅',
  j: 'ʝϳјᒍꓙꭻ',
  k: 'κкᛕⲕꓗꮶ𐔘',
  l: 'ǀӏᒪᛁ∣⏽ⳑⵏꓡꓲꮮ𐊊𐌉𐑃𐔦𑣒𑷚𖼖𖼨',
  m: 'μϻмᗰᛖⲙꓟꮇ𐊰𐌑𑜀',
  n: 'νոռⲛꓠ𐔓',
  o: 'οσϭоօଠഠဝჿዐᴏᴑⲟⵔꓳꬽ𐊒𐊫𐐬𐓪𐔖𑣈𑣕𑣗',
  p: 'þƿρϸрᑭ⍴ⲣⳏꓑꮲ𐊕',
  q: 'ԛգզⵕ',
  r: 'ʀгᖇᴦⲅꓣꭇꭈꭱꮁꮢ𐓜𖼵',
  s: 'ƽѕտടꓢꜱꮥꮪ𐊖𐑈𑣁𖼺',
  t: 'τт⊤⟙ⲧꓔꭲ𐊗𐊱𐌕𑣜𖼊',
  u: 'ʋսሀᑌᴜ∪⋃ꓴꞟꭎꭒ𐓶𑣘𖽂',
  v: 'ѵᐯᴠ∨⋁ⴸꓦꛟꮩ𐔝𑜆𑣀𖼈',
  w: 'ɯшѡԝաᴡⲽꓪꮃꮤ𑜊𑜎𑜏',
  x: '×χхᕁᕽ᙭᙮ᚷ╳⤫⤬⨯ⲭⵝꓫꭓ𐊐𐊴𐌗𐔧',
  y: 'ɣʏγυуүყᶌỿⲩꓬꭚꭹꮍ𐊲𑣄𖽃',
  z: 'ζᴢꓜꮓ𑣉',
  '\u0302': '\u0311',
  '\u0303': '\u0342',
  '\u0304': '\u0305',
  '\u0306': '\u030c',
  '\u0326': '\u0321\u0327\u0339',
  '\u0328': '\u0322\u0345',
  '\u0331': '\u0320',
  '\u0333': '\u0347',
  '\u0335': '\u0336',
  '\u0338': '\u0337',
  '\u0350': '\u0357',
};

const MEANT = new Map(
  Object.entries(LOOKALIKES).flatMap(([meant, alike]) => Array.from(alike, (each) => [each, meant] as const)),
);

/** The text with what its characters look like in place of them. */
export function confusableSkeleton(text: string): string {
  return Array.from(text, (character) => MEANT.get(character) ?? character).join('');
}
