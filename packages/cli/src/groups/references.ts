import { existsSync, statSync } from 'node:fs'
import { dirname, relative, resolve } from 'node:path'
import { counted } from '@svc/core'
import { codeFiles } from '../code/code-files.ts'
import { type Finding, findings, isCall, type Place, type References, referenceSearch } from '../code/references.ts'
import { command, type Group } from '../command.ts'
import { Problem, usage } from '../problem.ts'
import { allOf } from '../service/pages.ts'
import type { Session } from '../session.ts'
import type { Output } from '../terminal/output.ts'

const headings = {
  archived: 'Archived and still referenced',
  unknown: 'Unknown: no flag has this key',
  stale: 'Stale and still referenced',
  unreferenced: 'Referenced nowhere',
} as const satisfies Record<Finding, string>

const failing: readonly Finding[] = ['archived', 'unknown']
const further: readonly string[] = ['stale', 'unreferenced']

const findReferences = command({
  name: 'references',
  summary: 'Find where your code names flags.',
  about:
    'It lists flags that are archived, unknown or stale and still in the code, and flags that no code names. The code\nnever leaves this machine. "references" in svc.json says where to search, and which calls of yours take a key.',
  args: ['[DIR]'],
  options: {
    check: { about: 'Exit with 1 if the code names an archived or unknown flag.' },
    'fail-on': {
      value: 'WHAT',
      about: 'Also exit with 1 for these: stale, unreferenced, or both, separated by a comma.',
    },
  },
  examples: ['svc references', 'svc references src --check --fail-on stale'],
  async run({ args, options, session }) {
    const { world, output } = session
    const added = options['fail-on']?.split(',') ?? []
    const wrong = added.find((each) => !further.includes(each))
    if (wrong !== undefined) throw usage(`--fail-on must be stale, unreferenced or both (got ${wrong}).`)
    const folder = resolve(world.cwd, args.DIR ?? '.')
    if (!existsSync(folder) || !statSync(folder).isDirectory())
      throw new Problem('file_invalid', `${args.DIR} is not a folder.`)
    const { include = [], exclude = [], calls = [], aliases = {} } = conventionsOf(session)
    const malformed = calls.find((call) => !isCall(call))
    if (malformed !== undefined)
      throw new Problem('file_invalid', `svc.json: references.calls must be like isOn($key) (got ${malformed}).`)
    const search = referenceSearch(await readFlags(session), { calls, aliases })
    const shown = (path: string) => relative(world.cwd, resolve(folder, path)).replaceAll('\\', '/')
    const { path: projectFile } = session.settings.projectFile ?? {}
    const base = projectFile === undefined ? folder : dirname(projectFile)
    for (const { path, text } of codeFiles(folder, { base, include, exclude })) search.add(shown(path), text)
    const found = search.result()
    output.data(found, () => show(found, output))
    if (!options.check && added.length === 0) return
    const failed = [...failing, ...(added as Finding[])].filter((name) => findings[name](found).length > 0)
    if (failed.length > 0)
      throw new Problem('different', `Flags and code differ: ${failed.map((name) => countOf(name, found)).join(', ')}.`)
  },
})

export const references: Group = {
  name: 'references',
  summary: 'Find where your code names flags.',
  commands: [findReferences],
}

interface Settings {
  include?: string[]
  exclude?: string[]
  calls?: string[]
  aliases?: Record<string, string>
}

const conventionsOf = ({ settings }: Session): Settings => (settings.projectFile?.content.references ?? {}) as Settings

async function readFlags({ connection: { api }, project: projectId }: Session) {
  const read = (more: { status?: 'ARCHIVED' }) =>
    allOf((query) =>
      api.GET('/api/v1/projects/{projectId}/flags', { params: { path: { projectId }, query: { ...query, ...more } } }),
    )
  const flags = [...(await read({})), ...(await read({ status: 'ARCHIVED' }))]
  const unique = new Map(flags.map(({ key, status, stale }) => [key, { key, status, stale }]))
  return [...unique.values()].sort(({ key: one }, { key: other }) => (one < other ? -1 : 1))
}

function show(found: References, output: Output): void {
  let isFirst = true
  for (const name of Object.keys(headings) as Finding[]) {
    const those: { key: string; references: Place[] }[] = findings[name](found)
    if (those.length === 0) continue
    if (!isFirst) output.line()
    isFirst = false
    output.line(output.paint('bold', headings[name]))
    const rows = those.flatMap(({ key, references: places }) =>
      places.length === 0 ? [{ key, place: '' }] : places.map((place) => ({ key, place: placeOf(place) })),
    )
    const width = Math.max(...rows.map(({ key }) => key.length))
    for (const { key, place } of rows) output.line(`  ${place ? `${key.padEnd(width)}  ${place}` : key}`)
  }
  const named = found.flags.filter(({ references: places }) => places.length > 0).length
  output.say(
    `${named.toLocaleString('en')} of ${counted(found.flags.length, 'flag')} ${named === 1 ? 'is' : 'are'} in the code.`,
  )
}

const placeOf = ({ path, line }: Place): string => `${path}:${line}`

const countOf = (name: Finding, found: References): string => `${findings[name](found).length} ${name}`
