import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, relative, resolve } from 'node:path'
import { flagHooks, flagTypes, type TypedFlag } from '../code/typescript.ts'
import { command, type Group } from '../command.ts'
import { readFile } from '../configuration/file.ts'
import { Problem, usage } from '../problem.ts'
import { allOf } from '../service/pages.ts'
import { type Session, shownPath } from '../session.ts'

const generateTypes = command({
  name: 'generate',
  summary: 'Print TypeScript with the types of your flags.',
  about:
    'A wrong key or variation is then a compiler error. Archived flags are omitted. The files can be named in\nsvc.json, as "generate": { "out", "react" }.',
  options: {
    from: { value: 'FILE', about: 'Read the flags from a file of svc export. This needs no service and no token.' },
    out: { value: 'FILE', about: 'Write to this file instead of standard output.' },
    react: { value: 'FILE', about: 'Write React hooks to a second file.' },
    check: { about: 'Write nothing, and exit with 1 if a file is not up to date.' },
    'literal-values': { about: 'Use the texts of their variations as the type of STRING flags.' },
  },
  examples: [
    'svc generate --out src/flags.ts',
    'svc generate --check',
    'svc generate --from svc.yaml --out src/flags.ts',
  ],
  async run({ options, session }) {
    const { output } = session
    const out = fileOf('out', options.out, session)
    const react = fileOf('react', options.react, session)
    if (!out && (react || options.check))
      throw usage(`${react ? '--react' : '--check'} requires --out FILE, or "generate": { "out" } in svc.json.`)
    const { project, flags } = await (options.from === undefined
      ? readFlags(session)
      : flagsOfFile(options.from, session))
    const types = flagTypes(project, flags, options['literal-values'] === true)
    if (!out) return output.raw(types)
    const files = [{ path: out, text: types }]
    if (react) files.push({ path: react, text: flagHooks(project, specifierOf(react, out)) })
    const changed = files.filter(({ path, text }) => textIn(path) !== text)
    const shown = (path: string) => relative(session.world.cwd, path)
    if (options.check) {
      if (changed.length > 0)
        throw new Problem(
          'different',
          `${changed.map(({ path }) => shown(path)).join(' and ')} ${changed.length > 1 ? 'are' : 'is'} not up to date. Run svc generate.`,
        )
    } else
      for (const { path, text } of changed) {
        mkdirSync(dirname(path), { recursive: true })
        writeFileSync(path, text)
      }
    output.data(
      files.map((file) => ({ path: shown(file.path), changed: changed.includes(file) })),
      () => {
        for (const file of files)
          output.say(`${shown(file.path)} is ${changed.includes(file) ? 'written' : 'up to date'}.`)
      },
    )
  },
})

export const generate: Group = {
  name: 'generate',
  summary: 'Print TypeScript with the types of your flags.',
  commands: [generateTypes],
}

/** The file that an option names in this folder, or `svc.json` in its own. */
function fileOf(name: 'out' | 'react', option: string | undefined, { world, settings }: Session): string | undefined {
  if (option !== undefined) return resolve(world.cwd, option)
  const { path, content } = settings.projectFile ?? {}
  const named = (content?.generate as Record<string, string> | undefined)?.[name]
  return path !== undefined && named !== undefined ? resolve(dirname(path), named) : undefined
}

async function readFlags({ connection: { api }, project: projectId }: Session) {
  const path = { projectId }
  const [{ data }, all] = await Promise.all([
    api.GET('/api/v1/projects/{projectId}', { params: { path } }),
    allOf((query) => api.GET('/api/v1/projects/{projectId}/flags', { params: { path, query } })),
  ])
  return { project: data!.data.key, flags: all.filter(({ status }) => status !== 'ARCHIVED') }
}

/** The flags of a file, as the service has them after `svc apply`. A file without the key of its project needs --project. */
async function flagsOfFile(from: string, session: Session): Promise<{ project: string; flags: TypedFlag[] }> {
  const name = shownPath(from)
  const wanted = readFile(name, await session.readText(from))
  if (!wanted.flags) throw new Problem('file_invalid', `${name} has no flags.`)
  const flags = Object.entries(wanted.flags).map(([key, { body, type, variations, defaultVariationKey }]) => ({
    key,
    name: body.name as string,
    type: type as TypedFlag['type'],
    variations,
    defaultVariationKey,
    valueSchema: body.valueSchema as object | null,
  }))
  return { project: wanted.project?.key ?? session.project, flags }
}

/** How one file imports the other: without an ending, as bundlers want it. */
function specifierOf(from: string, to: string): string {
  const path = relative(dirname(from), to)
    .replaceAll('\\', '/')
    .replace(/\.tsx?$/, '')
  return path.startsWith('.') ? path : `./${path}`
}

/** The text of a file, with the line ends that Git may have changed; undefined if there is none. */
const textIn = (path: string): string | undefined =>
  existsSync(path) ? readFileSync(path, 'utf8').replaceAll('\r\n', '\n') : undefined
