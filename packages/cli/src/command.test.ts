import { expect, it } from 'vitest'
import { parse } from './command.ts'

const declared = {
  name: 'override add',
  args: ['FLAG', 'USER...'],
  options: {
    rule: { about: '', value: 'RULE' },
    tag: { about: '', value: 'TAG', many: true as const },
    kind: { about: '', value: 'KIND', choices: ['A', 'B'] },
    stale: { about: '' },
  },
}

it('the parser reads words and options in any order, and returns the options of every command separately', () => {
  const args = [
    '--json',
    'override',
    '-p',
    'shop',
    'add',
    'checkout',
    '--tag',
    'a',
    'u-1',
    '--tag=b',
    '--stale',
    '--',
    '-u',
  ]
  expect(parse(declared, args)).toEqual({
    args: { FLAG: 'checkout', USER: ['u-1', '-u'] },
    options: { tag: ['a', 'b'], stale: true },
    globals: { json: true, project: 'shop' },
  })
})

it.each([
  ['an unknown option', ['x', 'u', '--tga', '1'], '--tga is not an option of svc override add. Did you mean --tag?'],
  [
    'an unknown short option',
    ['x', 'u', '-z'],
    '-z is not an option of svc override add. See svc override add --help.',
  ],
  ['an option that only looks like a field of objects', ['x', 'u', '--constructor'], '--constructor is not an option'],
  ['a value for a switch', ['x', 'u', '--stale=yes'], '--stale takes no value.'],
  ['no value', ['x', 'u', '--rule'], '--rule needs a value: --rule RULE.'],
  ['an option in place of a value', ['x', 'u', '--rule', '--stale'], '--rule needs a value. If it is "--stale", write'],
  ['a value beyond the choices', ['x', 'u', '--kind', 'C'], '--kind must be A, B (got C).'],
  ['a missing argument', [], 'FLAG is missing: svc override add FLAG USER...'],
  ['a missing rest', ['x'], 'USER is missing'],
  ['an empty argument', ['', 'u'], 'FLAG must not be empty.'],
])('the parser refuses %s', (_what, args, message) => {
  expect(() => parse(declared, ['override', 'add', ...args])).toThrow(message)
})

it('the parser refuses too many arguments, and accepts that an optional one is left out', () => {
  const one = { name: 'open', args: ['[KEY]'], options: {} }
  expect(parse(one, ['open']).args).toEqual({ KEY: undefined })
  expect(() => parse(one, ['open', 'a', 'b'])).toThrow('"b" is one argument too many: svc open [KEY].')
})
