import { existsSync, globSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { type AttributeCondition, type Condition, compileCondition, type Operator, operators } from '@svc/core'
import openapiTS, { astToString, type OpenAPI3 } from 'openapi-typescript'
import ts from 'typescript'
import { describe, expect, it } from 'vitest'
import { bodySchemas } from '../packages/server/src/catalogue/payloads.ts'
import { otherPrograms, settings } from '../packages/server/src/config.ts'
import { conditionIssues } from '../packages/server/src/wings/model/conditions/index.ts'
import { provisioningSchema } from '../packages/server/src/wings/setup/provisioning/index.ts'
import { codeBlocks } from './code-blocks.ts'

const root = new URL('..', import.meta.url).pathname
const guides = globSync(['*.md', 'docs/**/*.md', 'conformance/*.md', 'packages/*/README.md'], { cwd: root }).sort()
const readGuide = (path: string) => readFileSync(join(root, path), 'utf8')
const holds = (condition: Condition, context: object) => compileCondition(condition, {})(context, Date.now())

describe('docs/targeting.md', () => {
  const page = readGuide('docs/targeting.md')
  const rows = page
    .split('\n')
    .map((line) => line.split('|').map((cell) => cell.trim()))
    .map(([, name = '', ...cells]) => ({ operator: name.replaceAll('`', '') as Operator, cells }))
    .filter(({ operator }) => Object.hasOwn(operators, operator))
    .map(({ operator, cells }) => ({ operator, cells: cells.map(valuesIn) }))

  it('has a row for every operator', () => {
    expect(rows.map(({ operator }) => operator)).toEqual(Object.keys(operators))
  })

  it.each(rows)('has correct examples for $operator', ({ operator, cells: [values = [], yes = [], no = []] }) => {
    const condition = { attribute: 'x', operator, ...(values.length > 0 && { value: values[0] }) } as AttributeCondition
    expect(conditionIssues(condition)).toEqual([])
    expect(yes.length * no.length).toBeGreaterThan(0)
    for (const x of yes) expect(holds(condition, contextOf(x)), `holds for ${JSON.stringify(x)}`).toBe(true)
    for (const x of no) expect(holds(condition, contextOf(x)), `does not hold for ${JSON.stringify(x)}`).toBe(false)
  })

  it.each(
    codeBlocks(page)
      .filter(({ language }) => language === 'json')
      .map(({ text }) => JSON.parse(text) as { conditions: Condition; matches: object[]; passesOver: object[] }),
  )('has a correct example: $conditions', ({ conditions, matches, passesOver }) => {
    expect(conditionIssues(conditions)).toEqual([])
    for (const context of matches) expect(holds(conditions, context), JSON.stringify(context)).toBe(true)
    for (const context of passesOver) expect(holds(conditions, context), JSON.stringify(context)).toBe(false)
  })
})

describe('docs/targeting.md, patterns', () => {
  const [, table = ''] = readGuide('docs/targeting.md').split('| refused ')
  const rows = table
    .split('\n\n')[0]!
    .split('\n')
    .slice(2)
    .map((line) => line.split('|').map((cell) => [...cell.matchAll(/`([^`]+)`/g)].map(([, text = '']) => text)))
    .map(([, refused = [], , accepted = []]) => ({ refused: refused[0], accepted }))
  const matches = (value: unknown) => conditionIssues({ attribute: 'x', operator: 'matches', value } as Condition)

  it('has a table of patterns', () => expect(rows.length).toBeGreaterThan(3))

  it.each(rows)('has correct examples for $refused', ({ refused, accepted }) => {
    expect(matches(refused)).toMatchObject([{ message: expect.stringContaining('linear') }])
    for (const pattern of accepted.filter((text) => text !== 'contains')) expect(matches(pattern), pattern).toEqual([])
  })
})

const missing = '—'

/** The values in one cell of the table: JSON in backquotes. */
function valuesIn(cell: string): unknown[] {
  const texts = [...cell.matchAll(/`([^`]+)`/g)].map(([, text = '']) => text)
  return texts.map((text) => (text === missing ? missing : JSON.parse(text)))
}

const contextOf = (x: unknown) => (x === missing ? {} : { x })

it('the service accepts the provisioning file in docs/operating.md', () => {
  const [file] = codeBlocks(readGuide('docs/operating.md')).filter(({ language }) => language === 'json')
  expect(provisioningSchema.safeParse(JSON.parse(file?.text ?? '')).error).toBeUndefined()
})

it('the service sends the body that docs/webhooks.md shows', () => {
  const [block] = codeBlocks(readGuide('docs/webhooks.md')).filter(({ language }) => language === 'json')
  const body = JSON.parse(block?.text ?? '')
  expect(bodySchemas['flag.published'].parse(body)).toEqual(body)
})

describe('the examples compile', () => {
  // One program for all: half of its time goes into declarations that each of them reads.
  const texts = new Map<string, string>()
  const guidesInTs = [
    { path: 'docs/sdk.md', least: 3 },
    { path: 'docs/kill-switch.md', least: 1 },
    { path: 'docs/testing.md', least: 2 },
    { path: 'docs/ingest-keys.md', least: 1 },
  ]

  it.each(guidesInTs)('there are some in $path', ({ path, least }) => {
    const examples = codeBlocks(readGuide(path)).filter(({ language }) => language === 'ts')
    expect(examples.length).toBeGreaterThanOrEqual(least)
    for (const { text, line } of examples) texts.set(join(root, path.replace('.md', `-line-${line}.ts`)), text)
  })

  it('there is one in docs/api.md, with the types that its generator prints', async () => {
    const example = codeBlocks(readGuide('docs/api.md')).find(({ language }) => language === 'ts')!.text
    const types = astToString(await openapiTS(JSON.parse(readGuide('docs/openapi.json')) as OpenAPI3))
    texts.set(join(root, 'docs/api-example.ts'), example)
    texts.set(join(root, 'docs/svc.ts'), types)
  })

  it('there are some in docs/react.md', () => {
    const examples = codeBlocks(readGuide('docs/react.md')).filter(({ language }) => language === 'tsx')
    const nameOf = (text: string) => /^\/\/ (\w+\.tsx)$/m.exec(text)?.[1] ?? ''
    const named = examples.map(({ text }) => [`docs/${nameOf(text)}`, text] as const)
    expect(named.map(([name]) => name)).toContain('docs/shop.tsx')
    for (const [name, text] of named) texts.set(join(root, name), text)
  })

  it('and none has a fault', () => {
    expect(texts.size).toBeGreaterThan(9)
    expect(faultsIn(texts)).toEqual([])
  })
})

/** The compiler errors in files that exist only in memory, with the settings of the project. */
function faultsIn(texts: Map<string, string>): string[] {
  const { config } = ts.readConfigFile(join(root, 'tsconfig.json'), ts.sys.readFile)
  const { options } = ts.parseJsonConfigFileContent({ ...config, include: [], files: [] }, ts.sys, root)
  const host = ts.createCompilerHost(options)
  const { getSourceFile, fileExists } = host
  host.fileExists = (path) => texts.has(path) || fileExists(path)
  host.getSourceFile = (path, target) => {
    const text = texts.get(path)
    return text === undefined ? getSourceFile(path, target) : ts.createSourceFile(path, text, target)
  }
  const program = ts.createProgram([...texts.keys()], options, host)
  const files = [...texts.keys()].map((path) => program.getSourceFile(path))
  const faults = files.flatMap((file) => [
    ...program.getSyntacticDiagnostics(file),
    ...program.getSemanticDiagnostics(file),
  ])
  return faults.map(
    ({ file, messageText }) => `${file?.fileName}: ${ts.flattenDiagnosticMessageText(messageText, ' ')}`,
  )
}

describe('the way to every page', () => {
  const linksOf = (text: string) => [...text.matchAll(/\]\(([^)\s#]+)/g)].map(([, link = '']) => link)

  it('leads from README by the list of all pages', () => {
    expect(linksOf(readGuide('README.md'))).toContain('docs/README.md')
    const listed = linksOf(readGuide('docs/README.md')).map((link) => join('docs', link))
    const pages = guides.filter((path) => path.startsWith('docs/') && !path.startsWith('docs/decisions/'))
    expect(pages.filter((path) => path !== 'docs/README.md' && !listed.includes(path))).toEqual([])
  })

  it('shows on its first screen what people need to decide', () => {
    const screen = readGuide('README.md').split('\n').slice(0, 20).join('\n')
    expect(screen).toContain('\n## Try it\n')
    const wanted = ['openfeature', 'configuration-as-code', 'upgrade', 'comparison', 'python', 'README']
    expect(linksOf(screen)).toEqual(expect.arrayContaining(wanted.map((name) => `docs/${name}.md`)))
  })

  it('has a page for each platform in the table of docs/sdk.md', () => {
    const table = readGuide('docs/sdk.md').split('\n## ')[1]!
    for (const name of ['node', 'deno', 'bun', 'browser', 'react', 'nextjs', 'react-native', 'workers', 'serverless'])
      expect(linksOf(table)).toContain(`${name}.md`)
  })
})

describe('every guide', () => {
  it.each(guides)('%s has no links to missing files', (path) => {
    const links = [...readGuide(path).matchAll(/\]\(([^)\s]+)\)/g)].map(([, link = '']) => link)
    const broken = links
      .filter((link) => !/^[a-z]+:|^[#/]/.test(link))
      .filter((link) => !existsSync(join(root, dirname(path), link.replace(/#.*$/, ''))))
    expect(broken).toEqual([])
  })

  it.each(guides)('%s has no links to missing headings', (path) => {
    const links = [...readGuide(path).matchAll(/\]\(([^)\s#]*)#([^)\s]+)\)/g)]
    const broken = links
      .filter(([, target = '']) => !/^[a-z]+:|^\//.test(target) && /^$|\.md$/.test(target))
      .filter(([, target, anchor = '']) => !anchorsOf(target ? join(dirname(path), target) : path).includes(anchor))
      .map(([, target, anchor]) => `${target}#${anchor}`)
    expect(broken).toEqual([])
  })

  it.each(guides)('%s has one title', (path) => {
    const text = readGuide(path).replaceAll(/^```[\s\S]*?^```$/gm, '')
    expect(text.match(/^# /gm)).toHaveLength(1)
  })

  it.each(guides)('%s names only settings that exist', (path) => {
    // The settings of the command line, which are the shell variables of the guides, and those of examples and tests.
    const examples = new Set([
      ...otherPrograms,
      'SVC_SDK_KEY',
      'SVC_INGEST_KEY',
      'SVC_FLAG',
      'SVC_TEST_SEED',
      'SVC_TEST_FULL',
      'SVC_SCREENSHOTS',
    ])
    const named = readGuide(path).match(/\bSVC_[A-Z_]*[A-Z]\b/g) ?? []
    const isSetting = (name: string) =>
      Object.hasOwn(settings, name) || Object.hasOwn(settings, name.slice(0, -'_FILE'.length))
    expect(named.filter((name) => !isSetting(name) && !examples.has(name))).toEqual([])
  })
})

/** The anchors of a page's headings, as on GitHub: lower case, without punctuation, hyphens for spaces. */
function anchorsOf(path: string): string[] {
  const text = readGuide(path).replaceAll(/^```[\s\S]*?^```$/gm, '')
  const headings = [...text.matchAll(/^#+ (.+)$/gm)].map(([, heading = '']) => heading.toLowerCase())
  return headings.map((heading) => heading.replaceAll(/[^\p{L}\p{N}_ -]/gu, '').replaceAll(' ', '-'))
}
