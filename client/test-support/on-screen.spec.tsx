import { queries, render } from '@testing-library/react';
import { screen } from './on-screen.js';

const idsOf = (elements: readonly HTMLElement[]) => elements.map(({ dataset }) => dataset['id']);

describe('the queries of the tests', () => {
  beforeEach(() => {
    render(
      <>
        <button data-id="text">Save</button>
        <button data-id="spread">
          <i>S</i>
          <span aria-hidden="true">x</span>
          <div>Save</div>
        </button>
        <button data-id="label" aria-label=" Save ">
          Other
        </button>
        <button data-id="by" aria-labelledby="words" />
        <b id="words">Save</b>
        <button data-id="titled">
          <img alt="Save" />
        </button>
        <label htmlFor="switch">Save</label>
        <button data-id="for" id="switch" role="switch" />
        <label>
          Save <input data-id="inside" type="checkbox" />
        </label>
        <label>
          Save
          <select data-id="select">
            <option>Other</option>
          </select>
        </label>
        <div aria-hidden="true">
          <button data-id="hidden">Save</button>
        </div>
        <button data-id="undisplayed" style={{ display: 'none' }}>
          Save
        </button>
        <section data-id="region" aria-label="Save" />
      </>,
    );
  });

  it.each(['button', 'switch', 'checkbox', 'combobox', 'region'])(
    'find each %s that the library finds, and none that is hidden',
    (role) => {
      for (const name of ['Save', 'S Save', 'Other', 'Sav', 'ave'])
        expect(idsOf(screen.queryAllByRole(role, { name }))).toEqual(
          idsOf(queries.queryAllByRole(document.body, role, { name })),
        );
      expect(idsOf(screen.queryAllByRole('button', { name: 'Save' }))).toEqual([
        'text',
        'label',
        'by',
        'titled',
      ]);
    },
  );

  it.each(['Save', /^Sa/, 'Sav'])('find each field with the label %s that the library finds', (label) => {
    expect(idsOf(screen.queryAllByLabelText(label)).sort()).toEqual(
      idsOf(queries.queryAllByLabelText(document.body, label)).sort(),
    );
  });
});
