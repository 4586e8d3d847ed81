/** What the page was served with; a page of no server has the numbers of the specification. */
const servedNumber = (name: string, otherwise: number) => {
  const served = document.querySelector<HTMLMetaElement>(`meta[name="${name}"]`)?.content ?? '';
  return /^\d+$/.test(served) ? Number(served) : otherwise;
};

const days = (number: number) => (number === 1 ? '1 day' : `${number} days`);

/** "14 days": how long a book may be kept, by the rules in force. */
export const loanPeriod = () => days(servedNumber('lectern-loan-days', 14));

/** The usage rules of the library (specification, section 1), with the numbers of the rules in force. */
export function usageRules(): readonly string[] {
  const renewal = servedNumber('lectern-renewals', 2) > 0 ? ', with renewal possible' : '';
  return [
    "This system is for academic use, in a master's thesis project.",
    'You must be registered to borrow books.',
    'Books must be returned on time to avoid late fees and penalties.',
    'All borrowing history is tracked.',
    'Fines apply for lost or damaged books.',
    'The system is in development and not for commercial use.',
    'Data entered here is for educational purposes only.',
    'Please report issues and feedback to the library administrator.',
    `Books can be borrowed for at most ${loanPeriod()}${renewal}.`,
    'Please do not monopolise popular books.',
    'Quiet reading, studying and group use of the spaces are encouraged.',
  ];
}
