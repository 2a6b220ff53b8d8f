import { describe, expect, it } from 'vitest'
import { sentEvents } from '../deliveries/events.ts'
import type { Kind } from './destination-path.ts'
import { configOf, fieldOf, isKind, kindRows, presets, problemOf, rowOf, secretFieldsOf, valuesOf } from './kinds.ts'

const shown: Record<Kind, Record<string, unknown>> = {
  SLACK: { url: 'https://hooks.slack.com/…WxYz' },
  TEAMS: { url: 'https://prod.logic.azure.com/…WxYz' },
  DISCORD: { url: 'https://discord.com/…WxYz' },
  GOOGLE_CHAT: { url: 'https://chat.googleapis.com/…WxYz' },
  PAGERDUTY: { routingKey: '…WxYz', region: 'EU' },
  GITHUB: { owner: 'acme', repo: 'shop', token: '…WxYz', labels: ['ops', 'flags'], apiUrl: 'https://api.github.com' },
  JIRA: {
    site: 'https://acme.atlassian.net',
    email: 'ada@svc.test',
    token: '…WxYz',
    projectKey: 'OPS',
    issueType: 'Bug',
    labels: [],
    doneTransitionId: '31',
  },
  LINEAR: { apiKey: '…WxYz', teamId: 't', labelIds: ['a', 'b'], doneStateId: null },
  EMAIL: { to: ['ada@svc.test', 'grace@svc.test'] },
  TEMPLATE: {
    url: 'https://alarms.example/…WxYz',
    method: 'PUT',
    headers: { 'X-Api-Key': '…WxYz' },
    body: { text: '{{flag.name}}', many: [1, null] },
    sign: true,
  },
}

describe.each(kindRows)('$label', ({ kind, fields, sample }) => {
  it('gives back what the service answered, if nothing is typed', () => {
    expect(configOf(kind, valuesOf(kind, shown[kind]), true)).toEqual(shown[kind])
  })

  it('keeps each field out of the browser whose value the service hides', () => {
    const hidden = Object.entries(shown[kind]).filter(([, value]) => JSON.stringify(value).includes('…WxYz'))
    expect(secretFieldsOf(kind)).toEqual(hidden.map(([name]) => fieldOf(name)))
  })

  it('has a sample for every field that must be typed', () => {
    const needed = fields.filter(
      ({ isOptional, initial, as }) => !isOptional && initial === undefined && as !== 'switch',
    )
    expect(Object.keys(sample)).toEqual(expect.arrayContaining(needed.map(({ name }) => name)))
  })
})

it('the form leaves out what is optional and empty', () => {
  const values = {
    ...valuesOf('GITHUB'),
    [fieldOf('owner')]: ' acme ',
    [fieldOf('repo')]: 'shop',
    [fieldOf('token')]: 't',
  }
  expect(configOf('GITHUB', values)).toEqual({ owner: 'acme', repo: 'shop', token: 't', labels: [] })
})

it.each([
  ['a field that must be typed', 'SLACK', 'url', ' ', 'Enter the webhook URL.'],
  ['a field that may be empty', 'GITHUB', 'apiUrl', '', undefined],
  [
    'an address without https',
    'SLACK',
    'url',
    'http://hooks.slack.com/x',
    'Must be an address that begins with https://.',
  ],
  ['a text that is no address', 'JIRA', 'site', 'acme', 'Must be an address that begins with https://.'],
  ['an address', 'JIRA', 'site', ' https://acme.atlassian.net ', undefined],
  ['an address as it is shown', 'SLACK', 'url', 'https://hooks.slack.com/…WxYz', undefined],
  ['an e-mail address without @', 'EMAIL', 'to', 'ada@acme.example, grace', 'grace is not an e-mail address.'],
  ['e-mail addresses', 'EMAIL', 'to', 'ada@acme.example, grace@acme.example', undefined],
  ['JSON with a fault', 'TEMPLATE', 'body', '{', 'Must be JSON.'],
  ['JSON', 'TEMPLATE', 'body', '{"text":"{{event}}"}', undefined],
] as const)('%s', (_, kind, name, text, problem) => {
  const field = rowOf(kind).fields.find((each) => each.name === name)!
  expect(problemOf(field, text)).toBe(problem)
})

it.each([
  ['SLACK', true],
  ['slack', false],
  ['WEBHOOK', false],
  [undefined, false],
])('%s in the address is a kind: %s', (text, is) => {
  expect(isKind(text)).toBe(is)
})

it('the form offers presets with events that this version sends, and no others', () => {
  expect(presets.map(({ label }) => label)).toEqual(expect.arrayContaining(['Releases', 'Alarms']))
  for (const { events } of presets)
    expect(events === 'SAFETY' || events.every((name) => sentEvents.includes(name))).toBe(true)
})
