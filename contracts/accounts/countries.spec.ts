import { COUNTRIES } from './countries.js';

describe('the country list', () => {
  // spec 2.13
  it('has the 249 entries of ISO 3166-1', () => {
    expect(COUNTRIES).toHaveLength(249);
  });

  it.each(['code', 'code3', 'name', 'number'] as const)('never repeats a %s', (key) => {
    expect(new Set(COUNTRIES.map((country) => country[key])).size).toBe(COUNTRIES.length);
  });

  // spec 3.11
  it('keeps every code, number and name in its form', () => {
    for (const country of COUNTRIES) {
      expect(country.code).toMatch(/^[A-Z]{2}$/);
      expect(country.code3).toMatch(/^[A-Z]{3}$/);
      expect(country.number).toMatch(/^\d{3}$/);
      expect(country.name).toBe(country.name.trim());
      expect(country.name).toMatch(/^\p{Lu}/u);
    }
  });

  it('is in alphabetical order', () => {
    const names = COUNTRIES.map((country) => country.name);
    expect(names).toEqual([...names].sort(new Intl.Collator('en').compare));
  });

  it('knows the countries that a reader looks for first', () => {
    const poland = COUNTRIES.find((country) => country.name === 'Poland');
    expect(poland).toEqual({ code: 'PL', code3: 'POL', name: 'Poland', number: '616' });
  });
});
