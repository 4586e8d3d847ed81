import { COUNTRIES } from './countries.js';

describe('the country list', () => {
  // spec 2.13
  it('has the 249 entries of ISO 3166-1, none twice', () => {
    for (const key of ['code', 'code3', 'name', 'number'] as const)
      expect([key, new Set(COUNTRIES.map((country) => country[key])).size]).toEqual([key, 249]);
    expect(COUNTRIES).toHaveLength(249);
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
