import { expect, test } from 'vitest'
import { runCommand } from '../testing/command.ts'
import { settings } from './config.ts'

const svc = (args: string[], more: Record<string, string> = {}) =>
  runCommand(args, { SVC_DATA_DIR: '/nowhere', ...more })

test('config lists every setting with its default and meaning', async () => {
  const { out, err, code } = await svc(['config'])
  expect([err, code]).toEqual(['', 0])
  const lines = out.trimEnd().split('\n')
  expect(lines.map((line) => line.split(/ +/)[0])).toEqual(Object.keys(settings))
  for (const [index, { fallback, meaning }] of Object.values(settings).entries()) {
    expect(lines[index]).toContain(fallback ?? '')
    expect(lines[index]).toContain(meaning.replaceAll('`', ''))
  }
})

test('wrong arguments are explained', async () => {
  const cases: [string[], number, string][] = [
    [['help'], 0, 'svc-server audit verify'],
    [['audit'], 2, 'svc-server audit verify'],
    [['audit', 'verify', '--all'], 2, "Unknown option '--all'"],
    [['audit', 'verify', '--expect', '12'], 1, 'must be <number>:<hash>'],
    [['organizations'], 2, 'svc-server organizations list'],
    [['organizations', 'list', '1'], 2, "Unexpected argument '1'"],
    [['organizations', 'enable', '1'], 1, 'an organization and a feature are required'],
    [['organizations', 'enable', '1', 'teleport'], 1, 'there is no feature teleport. Use integrations_api_export.'],
    [['reset-link', 'a', 'b'], 1, 'an e-mail address is required: svc-server reset-link <email>'],
  ]
  for (const [args, code, said] of cases) {
    const answer = await svc(args)
    expect([args, answer.code]).toEqual([args, code])
    expect(code === 0 ? answer.out : answer.err).toContain(said)
  }
})

test('a wrong setting is explained in one line', async () => {
  expect(await svc(['audit', 'verify'], { SVC_PORTS: '1' })).toEqual({
    out: '',
    err: 'svc-server: SVC_PORTS is not a setting. Did you mean SVC_PORT?\n',
    code: 1,
  })
})

test('a missing database is not created', async () => {
  expect(await svc(['audit', 'verify'])).toMatchObject({
    out: '',
    code: 1,
    err: expect.stringContaining('there is no database in /nowhere'),
  })
})
