import { createHash } from 'node:crypto'
import { mkdirSync, readFileSync, renameSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Data } from '@svc/client'
import { argument, commandOf, type Group, wordsOf } from './command.ts'
import { fieldOf } from './nouns.ts'
import { globalOptions, type KeyKind, type Options } from './options.ts'
import type { Session } from './session.ts'
import { keysThere } from './unnamed.ts'

type Index = Data<'/api/v1/projects/{projectId}/index', 'get'>

const keptMs = 60_000
const mostProjects = 100

/** The words that can replace the last of these words. `keysOf` looks up keys. */
export async function completions(
  groups: readonly Group[],
  words: readonly string[],
  keysOf: (kind: KeyKind) => Promise<string[]>,
): Promise<string[]> {
  const typed = words.at(-1) ?? ''
  const before = words.slice(0, -1)
  return (await candidates(groups, before, typed, keysOf)).filter((each) => each.startsWith(typed)).sort()
}

async function candidates(
  groups: readonly Group[],
  before: string[],
  typed: string,
  keysOf: (kind: KeyKind) => Promise<string[]>,
): Promise<string[]> {
  const [first] = wordsOf(before, globalOptions)
  const group = groups.find(({ name }) => name === first)
  const all: Options = Object.assign({}, ...(group?.commands.map(({ options }) => options) ?? []), globalOptions)
  const words = wordsOf(before, all)
  const command = group && commandOf(group.commands, words)
  const options: Options = command ? { ...command.options, ...globalOptions } : globalOptions
  const previous = before.at(-1)
  const asked = Object.entries(options).find(
    ([name, { short }]) => previous === `--${name}` || (short && previous === `-${short}`),
  )?.[1]
  if (asked?.value !== undefined) return asked.choices ? [...asked.choices] : asked.keys ? keysOf(asked.keys) : []
  if (typed.startsWith('-')) return Object.keys(options).map((name) => `--${name}`)
  if (first === undefined || first === 'help')
    return [...groups.map(({ name }) => name), ...(first === undefined ? ['help'] : [])]
  if (!group) return []
  if (!command) return nextWords(group, words)
  const given = words.length - command.name.split(' ').length
  const word = command.args[Math.min(given, command.args.length - 1)]
  if (word === undefined || (given >= command.args.length && !argument(word).isRest)) return []
  const kind = command.keys[argument(word).key]
  return kind ? keysOf(kind) : []
}

/** What can follow these words in the name of a command. */
function nextWords({ commands }: Group, words: readonly string[]): string[] {
  const following = commands.flatMap(({ name }) => {
    const own = name.split(' ')
    return words.every((word, place) => own[place] === word) ? (own[words.length] ?? []) : []
  })
  return [...new Set(following)]
}

/** Keys of the project, kept for a minute. After an error there are none, because a completion must not print one. */
export async function knownKeys(session: Session, kind: KeyKind): Promise<string[]> {
  try {
    if (kind === 'project') return (await keysThere(session, kind, mostProjects)).keys
    const index = await projectIndex(session)
    const rows: readonly Called[] = index[fieldOf(kind)] ?? []
    return rows.map(({ key, shortId, name }) => key ?? String(shortId ?? name))
  } catch {
    return []
  }
}

interface Called {
  name: string
  key?: string
  shortId?: number
}

async function projectIndex(session: Session): Promise<Index> {
  const { settings, project, connection, world } = session
  // Each token has its own keys, because tokens can see different projects.
  const name = createHash('sha256').update([connection.url, project, settings.token!.value].join('\n')).digest('hex')
  const path = join(settings.files.cache, `${name}.json`)
  const kept = statSync(path, { throwIfNoEntry: false })
  if (kept && world.now().getTime() - kept.mtimeMs < keptMs) return JSON.parse(readFileSync(path, 'utf8'))
  const { data } = await connection.api.GET('/api/v1/projects/{projectId}/index', {
    params: { path: { projectId: project } },
  })
  mkdirSync(settings.files.cache, { recursive: true, mode: 0o700 })
  const draft = `${path}.${process.pid}.tmp`
  writeFileSync(draft, JSON.stringify(data!.data), { mode: 0o600 })
  renameSync(draft, path)
  return data!.data
}
