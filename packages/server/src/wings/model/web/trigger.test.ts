import { expect, test } from 'vitest'
import { goalOf, triggerField } from './trigger.ts'

const conditions = { attribute: 'page.path', operator: 'equals', value: '/pricing' } as const

test.each([
  [
    { on: 'CLICK', selector: 'a.cta' },
    { selector: 'a.cta', when: null },
  ],
  [
    { on: 'FORM_SUBMIT', selector: 'form', conditions },
    { selector: 'form', when: conditions },
  ],
  [
    { on: 'SEEN', selector: '.low', conditions: null },
    { selector: '.low', when: null },
  ],
  [
    { on: 'PAGE_VIEW', conditions },
    { selector: null, when: conditions },
  ],
])('the trigger %j is a goal of pages', (trigger, goal) =>
  expect(goalOf('sign_up', triggerField.parse(trigger))).toEqual({ eventKey: 'sign_up', on: trigger.on, ...goal }),
)

test.each<[string, object, string[]]>([
  ['an unknown event', { on: 'HOVER', selector: 'a' }, ['on']],
  ['a click on nothing', { on: 'CLICK' }, ['selector']],
  ['a view of an element', { on: 'PAGE_VIEW', selector: 'a' }, ['selector']],
  ['a selector that no browser knows', { on: 'SEEN', selector: 'a::before' }, ['selector']],
  [
    'an attribute that no page has',
    { on: 'PAGE_VIEW', conditions: { ...conditions, attribute: 'page.title' } },
    ['conditions.attribute'],
  ],
  ['an audience', { on: 'PAGE_VIEW', conditions: { all: [{ audience: 'a' }] } }, ['conditions.all.0.audience']],
  ['two faults', { on: 'CLICK', conditions: { ...conditions, value: '/pricing/' } }, ['conditions.value', 'selector']],
  ['a field of another kind', { on: 'PAGE_VIEW', when: null }, ['']],
])('a trigger with %s is refused with the path', (_what, trigger, paths) => {
  const { error } = triggerField.safeParse(trigger)
  expect(error?.issues.map(({ path }) => path.join('.')).sort()).toEqual(paths)
})
