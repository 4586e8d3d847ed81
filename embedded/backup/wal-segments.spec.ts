import { segmentsBetween } from './cluster-files.js';

const SIXTEEN_MIB = 16 * 1024 * 1024;

describe('the segments between two places of the log', () => {
  it('are one where both are in it', () => {
    expect(segmentsBetween(1, '0/2000028', '0/2000158', SIXTEEN_MIB)).toEqual(['000000010000000000000002']);
  });

  it('do not include one that only begins where the last byte was', () => {
    expect(segmentsBetween(1, '0/2000028', '0/3000000', SIXTEEN_MIB)).toEqual(['000000010000000000000002']);
    expect(segmentsBetween(1, '0/2000028', '0/3000001', SIXTEEN_MIB)).toHaveLength(2);
  });

  it('go on over 4 GiB, in the numbers of the timeline', () => {
    expect(segmentsBetween(10, '0/FF000000', '1/1000001', SIXTEEN_MIB)).toEqual([
      '0000000A00000000000000FF',
      '0000000A0000000100000000',
      '0000000A0000000100000001',
    ]);
  });

  it('are of the size that the cluster was made with', () => {
    expect(segmentsBetween(1, '0/4000000', '0/8000001', 64 * 1024 * 1024)).toEqual([
      '000000010000000000000001',
      '000000010000000000000002',
    ]);
  });

  it('are refused for what is no place', () => {
    expect(() => segmentsBetween(1, 'here', '0/1', SIXTEEN_MIB)).toThrow('here is no place');
  });
});
