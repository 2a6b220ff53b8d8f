import { describe, expect, test } from 'vitest'
import { configs, type TestKind } from '../../../../testing/destinations.ts'
import { kindNames } from '../destinations/index.ts'
import { addressesIn, apart, textsToHide, together, withoutSecrets } from './config.ts'
import { configOf } from './schema.ts'

const wholeOf = (kind: TestKind) => {
  const parsed = configOf(kind, configs[kind])
  if (!parsed.success) throw parsed.error
  return parsed.data
}

const withSecrets = Object.keys(configs) as TestKind[]

test('every kind but mail has a secret', () => {
  expect([...withSecrets, 'EMAIL'].toSorted()).toEqual(kindNames.toSorted())
})

describe.each(withSecrets)('%s', (kind) => {
  const whole = wholeOf(kind)
  const { shown, secrets } = apart(kind, whole)

  test('shows only the end of a secret', () => {
    expect(JSON.stringify(shown)).not.toMatch(/Secret/)
    expect(JSON.stringify(shown)).toMatch(/…WxYz/)
    expect(JSON.stringify(secrets)).toMatch(/Secret/)
  })

  test('is whole again without an edit, and when it comes back as it was shown', () => {
    expect(together(kind, shown, secrets, {})).toEqual(whole)
    expect(together(kind, shown, secrets, shown)).toEqual(whole)
  })

  test('asks about an address only if it was typed in', () => {
    expect(addressesIn(kind, shown, shown)).toEqual([])
  })
})

test('the shown address has the host of the secret one', () => {
  expect(apart('SLACK', configs.SLACK).shown).toEqual({ url: 'https://hooks.slack.com/…WxYz' })
})

test('a short secret is not shown at all', () => {
  expect(apart('SLACK', { url: 'https://chat.example/x' }).shown).toEqual({ url: 'https://chat.example/…' })
  expect(apart('JIRA', { token: 'short' }).shown).toEqual({ token: '…' })
})

test('one header is changed and the others stay', () => {
  const secrets = {
    url: configs.TEMPLATE.url,
    headers: { 'X-Api-Key': 'headerSecretWxYz', 'X-Team': 'teamSecretWxYz' },
  }
  const { shown } = apart('TEMPLATE', secrets)
  const edit = { headers: { 'X-Api-Key': '…WxYz', 'X-Team': 'new' } }
  expect(together('TEMPLATE', shown, secrets, edit).headers).toEqual({
    'X-Api-Key': 'headerSecretWxYz',
    'X-Team': 'new',
  })
})

describe('what a receiver answers', () => {
  const hide = (text: string, secrets: Record<string, unknown>, headers = {}) =>
    withoutSecrets(text, textsToHide(secrets, headers))

  test.each([
    ['an address', `no ${configs.SLACK.url}!`, configs.SLACK, 'no •••!'],
    ['the part of an address that is secret', 'no /services/T0/B0/slackSecretWxYz', configs.SLACK, 'no /•••'],
    ['a token, twice', 'a jiraSecretWxYz b jiraSecretWxYz', { token: 'jiraSecretWxYz' }, 'a ••• b •••'],
    ['a header', 'key headerSecretWxYz', { headers: { 'X-Api-Key': 'headerSecretWxYz' } }, 'key •••'],
    ['the last part of an address', 'no slackSecretWxYz here', configs.SLACK, 'no ••• here'],
    ['a value in an address', 'no chatSecretWxYz', { url: 'https://chat.test/in?token=chatSecretWxYz' }, 'no •••'],
    ['a token in JSON that escapes slashes', 'a services\\/T0\\/B0\\/slackSecretWxYz', configs.SLACK, 'a •••'],
    ['an address in a query', `?to=${encodeURIComponent(configs.SLACK.url)}`, configs.SLACK, '?to=•••'],
    ['the beginning of a token where the answer was cut', 'sent jiraSecr', { token: 'jiraSecretWxYz' }, 'sent •••'],
    ['nothing of it', 'Not found', configs.SLACK, 'Not found'],
  ])('%s', (_, text, secrets, shown) => {
    expect(hide(text, secrets)).toBe(shown)
  })

  test('credentials in the form that they are sent in', () => {
    expect(hide('bad abcdefgh', {}, { authorization: 'Basic abcdefgh' })).toBe('bad •••')
  })
})
