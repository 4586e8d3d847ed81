import { loanDays, usageRules } from './house-rules.js';

/** As the server stamps the page. */
function served(loanDays: string, renewals: string): void {
  for (const [name, content] of Object.entries({ 'loan-days': loanDays, renewals })) {
    document.head.querySelector(`meta[name="lectern-${name}"]`)?.remove();
    const element = document.createElement('meta');
    element.name = `lectern-${name}`;
    element.content = content;
    document.head.append(element);
  }
}

const ofLoans = () => usageRules().filter((rule) => rule.startsWith('Books can be borrowed'));

describe('what the home page says of loans', () => {
  it('is the text of the specification by its rules, and where no server said anything', () => {
    const fixed = ['Books can be borrowed for at most 14 days, with renewal possible.'];
    expect(ofLoans()).toEqual(fixed);
    served('', '');
    expect(ofLoans()).toEqual(fixed);
    served('14', '2');
    expect(ofLoans()).toEqual(fixed);
  });

  it('has the numbers of the rules in force', () => {
    served('21', '1');
    expect(loanDays()).toBe(21);
    expect(ofLoans()).toEqual(['Books can be borrowed for at most 21 days, with renewal possible.']);
    served('1', '0');
    expect(ofLoans()).toEqual(['Books can be borrowed for at most 1 day.']);
  });
});
