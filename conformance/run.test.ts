import { spawnSync } from 'node:child_process'
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { agrees } from './agreement.ts'
import { statisticsMethods } from './statistics.ts'
import { readCases } from './vectors.ts'

const folder = mkdtempSync(join(tmpdir(), 'conformance-'))
afterAll(() => rmSync(folder, { recursive: true }))

const good = {
  id: 'x-1',
  name: 'hello',
  method: 'murmur3_x86_32',
  input: { text: 'hello', seed: 0 },
  expected: { hash: 0x248bfa47 },
}

interface Published {
  id: string
  expected: Record<string, number>
  published?: Record<string, number>
}

describe('the runner', () => {
  it('passes every file of this folder', () => {
    const { status, lines } = run()
    expect(lines.at(-1)).toMatch(/^[1-9]\d* passed, 0 failed$/)
    expect(status).toBe(0)
  })

  it.each(readdirSync(import.meta.dirname).filter((name) => name.endsWith('.json')))(
    '%s declares its number of cases and gives each a unique id',
    (name) => {
      const { methods, cases } = JSON.parse(readFileSync(join(import.meta.dirname, name), 'utf8'))
      const counts: Record<string, number> = {}
      for (const { method } of cases) counts[method] = (counts[method] ?? 0) + 1
      expect(methods).toEqual(counts)
      expect(new Set(cases.map(({ id }: { id: string }) => id)).size).toBe(cases.length)
    },
  )

  it('expects what public sources print', () => {
    const { cases } = JSON.parse(readFileSync(join(import.meta.dirname, 'statistics.json'), 'utf8'))
    const printed = cases.flatMap(({ id, expected, published = {} }: Published) =>
      Object.entries(published).map(([name, figure]) => [`${id} ${name}`, expected[name], figure] as const),
    )
    expect(printed.length).toBeGreaterThan(20)
    for (const [name, figure, inPrint] of printed) {
      const digits = Math.min(12, String(inPrint).split('.')[1]?.length ?? 0)
      expect(figure, name).toBeCloseTo(inPrint, digits)
    }
  })

  it('reports a failed case with id, name, expected and actual result, and exits 1', () => {
    const wrong = { ...good, id: 'x-2', name: 'wrong', expected: { hash: 1 } }
    const { status, lines } = run(fileOf({ version: 1, cases: [good, wrong] }))
    expect(lines).toEqual([
      'FAILED x-2 wrong',
      '  expected {"hash":1}',
      '  got      {"hash":613153351}',
      '1 passed, 1 failed',
    ])
    expect(status).toBe(1)
  })

  it('counts the cases of an unknown method as failed and reports the method once', () => {
    const unknown = { ...good, method: 'phrenology' }
    const { status, lines } = run(fileOf({ version: 1, cases: [unknown, good, unknown] }))
    expect(lines).toEqual(['method phrenology is not implemented: 2 cases failed', '1 passed, 2 failed'])
    expect(status).toBe(1)
  })

  it('counts a case as failed if its method throws, and continues', () => {
    const { status, lines } = run(fileOf({ version: 1, cases: [{ ...good, input: {} }, good] }))
    expect(lines.at(2)).toContain('threw')
    expect(lines.at(-1)).toBe('1 passed, 1 failed')
    expect(status).toBe(1)
  })

  it('accepts a file that has the declared number of cases', () => {
    const file = fileOf({ version: 1, methods: { murmur3_x86_32: 2 }, cases: [good, good] })
    expect(run(file)).toMatchObject({ status: 0, lines: ['2 passed, 0 failed'] })
  })

  it.each(readdirSync(import.meta.dirname).filter((name) => name.endsWith('.json')))(
    'refuses %s without its last case',
    (name) => {
      const document = JSON.parse(readFileSync(join(import.meta.dirname, name), 'utf8'))
      const { status, lines, errors } = run(fileOf({ ...document, cases: document.cases.slice(0, -1) }))
      expect({ status, lines }).toEqual({ status: 2, lines: [] })
      expect(errors).toEqual([expect.stringContaining('the file is incomplete')])
    },
  )

  it('runs a part of a generated collection and says how much of it is there', () => {
    const file = fileOf({ version: 1, generated: 'R', methods: { murmur3_x86_32: 2, condition: 1 }, cases: [good] })
    expect(run(file)).toMatchObject({
      status: 0,
      lines: [`${file}: a part of its collection, 1 of 3 cases`, '1 passed, 0 failed'],
    })
  })

  it('adds up the results of several files', () => {
    const file = fileOf({ version: 1, cases: [good] })
    expect(run(file, file).lines).toEqual(['2 passed, 0 failed'])
  })

  it.each([
    ['invalid JSON', 'nothing'],
    ['a different version', { version: 2, cases: [good] }],
    ['no cases', { version: 1 }],
    ['an empty list of cases', { version: 1, cases: [] }],
    ['a case without a method', { version: 1, cases: [good, { ...good, method: undefined }] }],
    ['a case without an expectation', { version: 1, cases: [{ ...good, expected: undefined }] }],
    ['a tolerance that is not a number', { version: 1, cases: [{ ...good, tolerance: { rel: 'some' } }] }],
    ['null', null],
    ['fewer cases than it declares', { version: 1, methods: { murmur3_x86_32: 2 }, cases: [good] }],
    ['more cases than it declares', { version: 1, methods: { murmur3_x86_32: 1 }, cases: [good, good] }],
    ['no cases for a declared method', { version: 1, methods: { murmur3_x86_32: 1, condition: 1 }, cases: [good] }],
    ['cases for an undeclared method', { version: 1, methods: {}, cases: [good] }],
    ['an invalid list of methods', { version: 1, methods: 'all', cases: [good] }],
    [
      'more cases than its collection',
      { version: 1, generated: 'R', methods: { murmur3_x86_32: 1 }, cases: [good, good] },
    ],
    ['a collection without its method', { version: 1, generated: 'R', methods: { condition: 2 }, cases: [good] }],
  ])('exits 2 with one line for a file with %s', (_name, document) => {
    const file = fileOf(document)
    const { status, lines, errors } = run(file)
    expect({ status, lines }).toEqual({ status: 2, lines: [] })
    expect(errors).toHaveLength(1)
    expect(errors[0]).toContain(file)
  })

  it('exits 2 with one line for a missing file', () => {
    const { status, errors } = run(join(folder, 'absent.json'))
    expect({ status, count: errors.length }).toEqual({ status: 2, count: 1 })
  })
})

describe('the methods of statistics', () => {
  const { cases } = readCases(join(import.meta.dirname, 'statistics.json'))
  const named = new Set(statisticsMethods.map(([name]) => name))

  it('answer no NaN and no infinity, also to zeros', () => {
    const zero = (key: string, value: unknown) => (typeof value === 'number' && key !== 'alpha' ? 0 : value)
    for (const { method, input } of cases.filter((item) => named.has(item.method))) {
      const zeroed = JSON.parse(JSON.stringify(input), zero)
      for (const given of [input, zeroed]) {
        const answer = new Map(statisticsMethods).get(method)?.(given)
        expect(numbersIn(answer).filter((number) => !Number.isFinite(number))).toEqual([])
      }
    }
  })
})

describe('agrees', () => {
  it.each<[unknown, unknown, object, boolean]>([
    [1.05, 1, { abs: 0.1 }, true],
    [1.2, 1, { abs: 0.1 }, false],
    [-110, -100, { rel: 0.1 }, true],
    [-111, -100, { rel: 0.1 }, false],
    [100.4, 100, { rel: 0, abs: 0.5 }, true],
    [1.0000001, 1, {}, false],
    ['1', 1, { abs: 10 }, false],
    [Number.NaN, 1, { abs: 10 }, false],
    [undefined, null, {}, true],
    [0, null, {}, false],
    [{ a: 1, extra: 2 }, { a: 1 }, {}, true],
    [{}, { a: null }, {}, true],
    [{ a: 1 }, { a: 1, b: 2 }, {}, false],
    [{}, { constructor: 'x' }, {}, false],
    [[1, { b: 2.05 }], [1, { b: 2 }], { abs: 0.1 }, true],
    [[1, 2, 3], [1, 2], {}, false],
    [[], {}, {}, false],
    ['a', 'b', {}, false],
    [true, true, {}, true],
  ])('compares %j with %j under tolerance %j: %s', (got, expected, tolerance, verdict) => {
    expect(agrees(got, expected, tolerance)).toBe(verdict)
  })
})

function numbersIn(value: unknown): number[] {
  if (typeof value === 'number') return [value]
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(numbersIn) : []
}

function run(...files: string[]) {
  const { status, stdout, stderr } = spawnSync(process.execPath, [join(import.meta.dirname, 'run.ts'), ...files], {
    encoding: 'utf8',
    env: { ...process.env, NODE_OPTIONS: '' },
  })
  return { status, lines: linesOf(stdout), errors: linesOf(stderr) }
}

function linesOf(text: string): string[] {
  return text.split('\n').filter(Boolean)
}

function fileOf(document: unknown): string {
  const file = join(mkdtempSync(join(folder, 'case-')), 'cases.json')
  writeFileSync(file, document === 'nothing' ? 'nothing' : JSON.stringify(document))
  return file
}
