import { ID } from '../../../../test-support/screen.js';
import { readAddress, writeAddress } from '../../../lib/use-address.js';
import { REPLAY_ADDRESS, type ReplayAddress } from './replay-address.js';

const read = (search: string) => readAddress(REPLAY_ADDRESS, new URLSearchParams(search));
const write = (address: ReplayAddress) => Object.fromEntries(writeAddress(REPLAY_ADDRESS, address));

describe('the address of a replay', () => {
  it('says nothing where it is as usual', () => {
    const usual = read('');
    expect(usual).toEqual({ at: null, borrowId: null, kind: null, proportion: 'time', tab: 'replay' });
    expect(write(usual)).toEqual({});
  });

  it('brings back all that it says', () => {
    const search = { at: '37', borrow: ID, kind: 'FineCharged', by: 'events', tab: 'looks' };
    expect(write(read(new URLSearchParams(search).toString()))).toEqual(search);
    expect(read('at=0').at).toBe(0);
  });

  it.each(['at=-1', 'at=x', 'at=1e9', 'at=99999999999', 'borrow=x', 'kind=DropTable', 'by=luck', 'tab=x'])(
    'takes %s for nothing',
    (search) => expect(read(search)).toEqual(read('')),
  );
});
