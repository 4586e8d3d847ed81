import { Choice } from '../../../components/form/choice.js';
import { SLIP_PAPERS, useSlipPaper } from './slip-paper.js';

/** What slips are printed on. */
export function SlipPaperChoice() {
  const { paper, choose } = useSlipPaper();
  return <Choice label="Slips on" value={paper} options={SLIP_PAPERS} onChoose={choose} />;
}
