import { expect, it } from 'vitest'
import { type Trigger, triggerSentence } from './trigger-words.ts'

it.each<[Partial<Trigger>, string]>([
  [{ on: 'CLICK', selector: 'a.cta' }, 'a visitor clicks a.cta'],
  [{ on: 'FORM_SUBMIT', selector: '#sign-up' }, 'a visitor sends the form #sign-up'],
  [{ on: 'SEEN', selector: '.low' }, 'a visitor sees .low'],
  [
    { on: 'PAGE_VIEW', conditions: { attribute: 'page.path', operator: 'in', value: ['/thanks'] } },
    'a visitor opens a page where path is /thanks',
  ],
])('the trigger %j reads as a sentence', (trigger, happens) =>
  expect(triggerSentence('sign_up', { selector: null, conditions: null, ...trigger } as Trigger)).toBe(
    `The script sends sign_up when ${happens}`,
  ),
)
