import type { Condition } from '../../../ui/conditions/conditions.ts'
import { pageSentence } from '../../../ui/conditions/page-words.ts'
import type { Metric } from './metric-words.ts'

export type Trigger = NonNullable<Metric['trigger']>

/** What the script tells by itself, as it is chosen. */
export const triggers: Record<Trigger['on'] | 'NONE', string> = {
  NONE: 'Nothing: a program sends the event',
  CLICK: 'A click on an element',
  FORM_SUBMIT: 'A form that is sent',
  SEEN: 'An element that is seen',
  PAGE_VIEW: 'A page that is opened',
}

const happens: Record<Trigger['on'], (selector: string) => string> = {
  CLICK: (selector) => `a visitor clicks ${selector}`,
  FORM_SUBMIT: (selector) => `a visitor sends the form ${selector}`,
  SEEN: (selector) => `a visitor sees ${selector}`,
  PAGE_VIEW: () => 'a visitor opens a page',
}

/** "The script sends sign_up when a visitor clicks a.cta where path is /pricing". */
export function triggerSentence(eventKey: string, { on, selector, conditions }: Trigger): string {
  const where = conditions ? ` where ${pageSentence(conditions as Condition)}` : ''
  return `The script sends ${eventKey} when ${happens[on](selector ?? '…')}${where}`
}
