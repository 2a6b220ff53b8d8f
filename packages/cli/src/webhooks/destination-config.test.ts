import { expect, it } from 'vitest'
import { configGiven, withSecrets } from './destination-config.ts'

const files: Record<string, string> = {
  'token.txt': 'ghp_1234\n',
  'headers.json': '{ "X-Key": "k" }',
  'empty.txt': '\n',
  'broken.json': '{ "X-Key"',
  '-': 'https://hooks.slack.com/services/T0\n',
}
const session = { readText: async (path: string) => files[path]! }

it.each([
  ['nothing', {}, undefined],
  ['text, also if it looks like a number', { field: ['doneTransitionId=31'] }, { doneTransitionId: '31' }],
  ['a value with an equals sign', { field: ['owner=a=b'] }, { owner: 'a=b' }],
  [
    'lists, switches and none as JSON',
    { field: ['labels=["a"]', 'sign=true', 'x=null'] },
    { labels: ['a'], sign: true, x: null },
  ],
  ['a secret without its line break', { secret: ['token=token.txt'] }, { token: 'ghp_1234' }],
  ['a secret that is an object', { secret: ['headers=headers.json'] }, { headers: { 'X-Key': 'k' } }],
  ['a secret from standard input', { secret: ['url=-'] }, { url: 'https://hooks.slack.com/services/T0' }],
])('svc reads %s', async (_what, given, config) => {
  expect(await configGiven(given, session)).toEqual(config)
})

it.each([
  ['a secret as an argument', { field: ['url=https://hooks.slack.com/x'] }, 'Use --secret url=FILE'],
  ['a field as a secret', { secret: ['owner=token.txt'] }, 'owner is not a secret. Use --field owner=VALUE.'],
  ['an empty file', { secret: ['token=empty.txt'] }, '--secret token: empty.txt is empty.'],
  ['broken JSON', { secret: ['headers=broken.json'] }, '--secret headers looks like JSON but cannot be parsed.'],
  ['standard input twice', { file: '-', secret: ['url=-'] }, 'Standard input can be read only once.'],
  ['no value', { field: ['owner'] }, '--field must be KEY=VALUE (got owner).'],
])('svc refuses %s', async (_what, given, message) => {
  await expect(configGiven(given, session)).rejects.toThrow(message)
})

it('svc never repeats a secret that was given as an argument', async () => {
  const refused = await configGiven({ field: ['token=ghp_1234'] }, session).catch((error: Error) => error.message)
  expect(refused).toContain('token')
  expect(refused).not.toContain('ghp_1234')
})

const asked = (isPossible: boolean, answer = '') => {
  const questions: string[] = []
  const never = () => Promise.reject(new Error('asked'))
  const askSecret = async (question: string) => {
    questions.push(question)
    return answer
  }
  return { questions, prompt: { isPossible, askSecret, ask: never, confirm: never, confirmTyping: never } }
}

it.each([
  ['what its kind needs', { kind: 'SLACK' }, ['url'], { kind: 'SLACK', config: { url: 'typed' } }],
  ['not what is there', { kind: 'SLACK', config: { url: 'u' } }, [], { kind: 'SLACK', config: { url: 'u' } }],
  ['not what can be left out', { kind: 'TEMPLATE' }, ['url'], { kind: 'TEMPLATE', config: { url: 'typed' } }],
  ['nothing for a kind without secrets', { kind: 'EMAIL' }, [], { kind: 'EMAIL', config: {} }],
])('svc asks for %s', async (_what, body, names, whole) => {
  const { prompt, questions } = asked(true, ' typed ')
  expect(await withSecrets(body, { prompt })).toEqual(whole)
  expect(questions).toEqual(names.map((name) => `${name} (not shown):`))
})

it('svc asks only on a terminal, and refuses an empty answer', async () => {
  await expect(withSecrets({ kind: 'GITHUB' }, asked(false))).rejects.toThrow('Use --secret token=FILE')
  await expect(withSecrets({ kind: 'GITHUB' }, asked(true))).rejects.toThrow('The token is empty.')
})
