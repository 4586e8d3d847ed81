import type { TrialAnswer, TrialView } from '#contracts/rules/what-if.js';

/** What a part of the answer shows. */
export interface AnswerPartProps {
  trial: TrialView;
  answer: TrialAnswer;
}
