import { expect, it } from 'vitest'
import { actionChoices, actorName, objectChoices, phraseOf } from './phrases.ts'

it.each([
  ['member.invite', 'invited'],
  ['service_token.rotate', 'rotated the service token'],
  ['audience.create', 'created the audience'],
  ['segment.replace_members', 'replaced the members of the segment'],
  ['environment.restore_revision', 'staged an earlier revision of the environment'],
  ['flag.cancel_schedule', 'cancelled a schedule of the flag'],
  ['something.new', '(something.new)'],
])('%s reads “%s”', (action, expected) => {
  expect(phraseOf(action)).toBe(expected)
})

it.each([
  [{ type: 'user', name: 'Ada' }, 'Ada'],
  [{ type: 'service_token', name: 'Deploy' }, 'Deploy'],
  [{ type: 'system', name: 'provisioning' }, 'The service (provisioning)'],
])('%j is called %s', (actor, expected) => {
  expect(actorName(actor)).toBe(expected)
})

it('the choices of a type start with all its actions, and each action appears once', () => {
  const tokens = actionChoices.filter(({ value }) => value.startsWith('service_token.'))
  expect(tokens.slice(0, 2)).toEqual([
    { value: 'service_token.', label: 'Service tokens: all actions' },
    { value: 'service_token.create', label: 'Service token: create' },
  ])
  const values = actionChoices.map(({ value }) => value)
  expect(new Set(values).size).toBe(values.length)
  expect(objectChoices).toContainEqual({ value: 'segment', label: 'Segment' })
  expect(objectChoices.map(({ value }) => `${value}.`)).toEqual(values.filter((value) => value.endsWith('.')))
})
