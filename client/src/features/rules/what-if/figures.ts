import { READER_KIND_LABELS } from '#contracts/rules/kinds.js';
import type { SimulationAnswer } from '#contracts/rules/what-if.js';
import { counted, inGroups } from '../../../lib/counted.js';
import { difference, inMoney, waitOf } from './labels.js';

/** A figure of the whole span in words: as it was, as it would have been, and by how much they differ. */
export interface ToldFigure {
  name: string;
  note?: string | undefined;
  real: string;
  simulated: string;
  by: string;
}

/** The figures of the whole span, in the order in which they are shown. */
export function figuresOf({
  fees,
  kinds,
  losses,
  lateReturns,
  expiredRents,
  holds,
}: SimulationAnswer): ToldFigure[] {
  const charged = kinds.filter(({ real, simulated }) => real > 0 || simulated > 0);
  return [
    figure('Late fees', fees, inMoney),
    ...(charged.length > 1 ? charged : []).map((of) => ({
      ...figure(`Late fees: ${READER_KIND_LABELS[of.kind].toLowerCase()}`, of, inMoney),
      note:
        of.otherReaders > 0 ? `${counted(of.otherReaders, 'reader', 'readers')} with other fees` : undefined,
    })),
    figure('Charged for lost and damaged books', losses, inMoney),
    figure('Books that came back late', lateReturns, inGroups),
    {
      ...figure('Rents that nobody collected in time', expiredRents, inGroups),
      note:
        expiredRents.cannotBeTold > 0
          ? `Of ${inGroups(expiredRents.cannotBeTold)} it cannot be told: they would have had more time`
          : undefined,
    },
    {
      ...wait('half of them at most', holds.real?.median, holds.simulated?.median),
      note:
        holds.cannotBeTold > 0
          ? `Of ${inGroups(holds.cannotBeTold)} it cannot be told: somebody else would have kept the copy longer`
          : undefined,
    },
    wait('on average', holds.real?.mean, holds.simulated?.mean),
  ];
}

function figure(
  name: string,
  beside: { real: number; simulated: number },
  told: (number: number) => string,
): ToldFigure {
  return { name, real: told(beside.real), simulated: told(beside.simulated), by: difference(beside, told) };
}

/** Of what was measured: in hours; nobody waited where there is none. */
function wait(measure: string, real: number | undefined, simulated: number | undefined): ToldFigure {
  const isKnown = real !== undefined && simulated !== undefined;
  return {
    name: `Wait for a reserved copy, ${measure}`,
    real: real === undefined ? '–' : waitOf(real),
    simulated: simulated === undefined ? '–' : waitOf(simulated),
    by: isKnown ? difference({ real, simulated }, waitOf) : '–',
  };
}
