import { setImmediate } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { type NamedRule, type NameSource, nameStore } from './names.ts'

const rule = (name: string, flagKey: string, ...keys: string[]): NamedRule => ({
  names: [name],
  ruleId: `id of ${name}`,
  flagKey,
  variations: new Map(keys.map((key) => [key, `id of ${key}`])),
})

/** A source whose rules a test changes, with what was asked of it. */
function source(rules: NamedRule[]) {
  const asked: (readonly string[] | null)[] = []
  const state = { rules, behind: false, failing: false, questions: 0, during() {} }
  const own: NameSource = {
    async load(_envId, flagKeys) {
      asked.push(flagKeys)
      state.during()
      if (state.failing) throw new Error('unavailable')
      return state.rules.filter(({ flagKey }) => flagKeys === null || flagKeys.includes(flagKey))
    },
    async isBehind() {
      state.questions += 1
      const { behind } = state
      // The database takes a moment.
      await setImmediate()
      return behind
    },
  }
  return { state, asked, names: nameStore(own) }
}

test('names are read once', async () => {
  const { names, asked } = source([rule('1', 'a', 'on')])
  expect((await names.of('env')).find('1')).toMatchObject({ ruleId: 'id of 1' })
  expect(names.of('env')).not.toBeInstanceOf(Promise)
  expect(asked).toEqual([null])
})

test('requests at the same time share a read', async () => {
  const { names, asked } = source([rule('1', 'a')])
  const all = await Promise.all([names.of('env'), names.of('env'), names.of('env')])
  expect(all.map((known) => known.find('1') !== undefined)).toEqual([true, true, true])
  expect(asked).toEqual([null])
})

test('after a publish, only the rules of changed flags are read again', async () => {
  const { names, asked, state } = source([rule('1', 'a', 'on')])
  await names.of('env')
  state.rules = [rule('1', 'a', 'renamed'), rule('2', 'b')]
  names.outdate('env', ['a', 'b'])
  const known = await names.of('env')
  expect(known.find('1')!.variations.get('renamed')).toBe('id of renamed')
  expect(known.find('2')).toBeDefined()
  expect(asked).toEqual([null, ['a', 'b']])
})

test('a former key of a variation stays known, unless another variation has it now', async () => {
  const variations = (...keys: [string, string][]): NamedRule => ({ ...rule('1', 'a'), variations: new Map(keys) })
  const { names, state } = source([variations(['red', 'x'], ['blue', 'y'])])
  await names.of('env')
  state.rules = [variations(['blue', 'x'], ['green', 'y'])]
  names.outdate('env', ['a'])
  expect((await names.of('env')).find('1')!.variations).toEqual(
    new Map([
      ['red', 'x'],
      ['blue', 'x'],
      ['green', 'y'],
    ]),
  )
})

test('a change during a read is read afterwards', async () => {
  const { names, asked, state } = source([rule('1', 'a')])
  state.during = () => {
    state.during = () => {}
    names.outdate('env', ['a'])
  }
  await names.of('env')
  await names.of('env')
  expect(asked).toEqual([null, ['a']])
})

test('a rule that is deleted stays known', async () => {
  const { names, state } = source([rule('1', 'a')])
  await names.of('env')
  state.rules = []
  names.outdate('env', null)
  expect((await names.of('env')).find('1')).toBeDefined()
})

test('a read that fails is repeated', async () => {
  const { names, asked, state } = source([rule('1', 'a')])
  await names.of('env')
  state.failing = true
  names.outdate('env', ['a'])
  await expect(names.of('env')).rejects.toThrow('unavailable')
  state.failing = false
  await names.of('env')
  expect(asked).toEqual([null, ['a'], ['a']])
})

test('an unknown name is looked up again if a different node has published', async () => {
  const { names, asked, state } = source([])
  await names.of('env')
  state.rules = [rule('1', 'a')]
  expect((await names.renewed('env')).find('1')).toBeUndefined()
  state.behind = true
  expect((await names.renewed('env')).find('1')).toBeDefined()
  expect(asked).toEqual([null, null])
})

test('requests with unknown names share a question that began after them', async () => {
  const { names, state } = source([])
  await names.of('env')
  const early = [names.renewed('env'), names.renewed('env')]
  await Promise.resolve()
  expect(state.questions).toBe(1)
  state.rules = [rule('1', 'a')]
  state.behind = true
  const late = [names.renewed('env'), names.renewed('env')]
  for (const known of await Promise.all(late)) expect(known.find('1')).toBeDefined()
  await Promise.all(early)
  expect(state.questions).toBe(2)
})

test('environments have their own names, and a deleted one none', async () => {
  const { names, asked } = source([rule('1', 'a')])
  await names.of('env')
  names.outdate('other', null)
  names.remove('env')
  await names.of('env')
  expect(asked).toEqual([null, null])
})
