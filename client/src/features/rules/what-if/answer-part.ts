import type { SimulationAnswer, SimulationView } from '#contracts/rules/what-if.js';

/** What a part of the answer shows. */
export interface AnswerPartProps {
  simulation: SimulationView;
  answer: SimulationAnswer;
}
