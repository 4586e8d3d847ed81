const path = require('node:path');

const jsdom = path.dirname(require.resolve('jsdom', { paths: [require.resolve('jest-environment-jsdom')] }));
const part = (name) => require(path.join(jsdom, name));

/*
 * Each query by role or label asks jsdom how many elements look and how they are called. Here it comes to the same answers by
 * shorter ways. To be required before anything of jsdom.
 */

// A rule about elements of other names, as most of a browser's own are, does not have to be matched.
const selectors = part('jsdom/living/helpers/selectors.js');
const { matchesDontThrow } = selectors;
const known = new Map();
selectors.matchesDontThrow = (element, selector) => {
  if (!known.has(selector)) known.set(selector, namesIn(selector));
  const names = known.get(selector);
  return names && !names.has(element._localName) ? false : matchesDontThrow(element, selector);
};

/** The names of all elements that a selector can mean; undefined where it does not say them, or not plainly. */
function namesIn(selector = '') {
  if (/\(.*[\s>+~,]/.test(selector)) return undefined;
  const names = selector
    .split(',')
    .map((each) => /(?:^|[\s>+~])([a-z][a-z\d]*)[^\s>+~]*$/.exec(each.trim())?.[1]);
  return names.includes(undefined) ? undefined : new Set(names);
}

// What a label is for is looked up by its id, not looked for in the whole page, for each label and each element that may have one.
part('api.js');
const { isLabelable } = part('jsdom/living/helpers/form-controls.js');
const label = part('jsdom/living/nodes/HTMLLabelElement-impl.js').implementation.prototype;
const { get } = Object.getOwnPropertyDescriptor(label, 'control');
Object.defineProperty(label, 'control', {
  get() {
    const id = this.getAttributeNS(null, 'for');
    if (!id || !this._attached) return get.call(this);
    const control = this._ownerDocument.getElementById(id);
    return control && isLabelable(control) ? control : null;
  },
});
