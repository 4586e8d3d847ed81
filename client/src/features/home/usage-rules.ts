/** The usage rules of the library (specification, section 1). */
export const USAGE_RULES: readonly string[] = [
  "This system is for academic use, in a master's thesis project.",
  'You must be registered to borrow books.',
  'Books must be returned on time to avoid late fees and penalties.',
  'All borrowing history is tracked.',
  'Fines apply for lost or damaged books.',
  'The system is in development and not for commercial use.',
  'Data entered here is for educational purposes only.',
  'Please report issues and feedback to the library administrator.',
  'Books can be borrowed for at most 14 days, with renewal possible.',
  'Please do not monopolise popular books.',
  'Quiet reading, studying and group use of the spaces are encouraged.',
];
