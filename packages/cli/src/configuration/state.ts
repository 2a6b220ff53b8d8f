import type { Connection } from '../service/connection.ts'
import type { Drafted, RuleBody, WantedFlag } from './flags.ts'
import { flagEntry, flagFields } from './flags.ts'
import { entryOf, type Fields, type Kind, kindNames, kinds, managed, recordOf } from './objects.ts'
import { withoutSecrets } from './secret-variables.ts'

/** A flag in an environment as the service has it. */
export interface PresentDraft {
  draft: Drafted
  live: Drafted
  enabled: boolean
  /** The revision of the last publish or first run; null if there was none. */
  published: number | null
  changes: StagedChange[]
  /** Short ids of the experiments that own rules, by key. */
  experiments: Record<string, number>
}

interface StagedChange {
  path: string
  by: { type: string; id: string | null; name: string } | null
  at: string | null
  source?: string
}

export interface PresentFlag {
  id: string
  status: string
  etag: string
  wanted: WantedFlag
  environments: Record<string, PresentDraft>
}

/** What waits in an environment: flags, or short ids of web experiments; audiences that an earlier run of the file edited, and others. */
export interface Staged {
  flags: string[]
  experiments: string[]
  ownAudiences: string[]
  otherAudiences: string[]
  etag: string
}

/** What the service has. */
export interface State {
  project: { key: string; name: string; type: string }
  /** The caller, in the form in which changes name their author. */
  self: string
  /** The source that a run of the file gives to its staged changes. Null: there is no file. */
  source: string | null
  objects: Record<Kind, Record<string, { body: Fields; etag: string; id: string }>>
  flags: Record<string, PresentFlag>
  staged: Record<string, Staged>
  /** The environments in which rules use an audience, by its key. */
  audienceUse: Record<string, string[]>
}

// biome-ignore lint/suspicious/noExplicitAny: answers of many routes, and only the fields of the tables are read
type Answered = any

/** At most this many requests at once. */
const atOnce = 6

export async function eachOf<Item, Result>(
  items: readonly Item[],
  work: (item: Item) => Promise<Result>,
): Promise<Result[]> {
  const results: Result[] = []
  let next = 0
  const lane = async () => {
    while (next < items.length) {
      const at = next
      next += 1
      results[at] = await work(items[at]!)
    }
  }
  await Promise.all(Array.from({ length: atOnce }, lane))
  return results
}

export const projectPath = (project: string): string => `/api/v1/projects/${encodeURIComponent(project)}`

export async function readJson(
  connection: Connection,
  path: string,
): Promise<{ data: Answered; etag: string; page?: Answered }> {
  const response = await connection.send('GET', path)
  const body = (await response.json()) as Answered
  return { data: body.data, page: body.page, etag: response.headers.get('etag') ?? '' }
}

export async function readAll(connection: Connection, path: string, query = ''): Promise<Answered[]> {
  const items: Answered[] = []
  for (let cursor = ''; ; ) {
    const { data, page } = await readJson(
      connection,
      `${path}?limit=100${query}${cursor && `&cursor=${encodeURIComponent(cursor)}`}`,
    )
    items.push(...data)
    if (!page?.hasMore) return items
    cursor = page.nextCursor
  }
}

/** Whether an earlier run of the file has staged a change. */
export const isOfFile = ({ by, source }: StagedChange, state: Pick<State, 'self' | 'source'>): boolean =>
  by?.id === state.self && source !== undefined && source === state.source

/** Reads the project. With a file, only the drafts of its flags. */
export async function readState(
  connection: Connection,
  project: string,
  file?: { flagKeys: readonly string[]; source: string },
): Promise<State> {
  const base = projectPath(project)
  const [{ data: found }, { data: me }] = [await readJson(connection, base), await readJson(connection, '/api/v1/me')]
  const lists = Object.fromEntries(
    await eachOf(kindNames, async (kind) => [kind, await readAll(connection, `${base}/${kinds[kind].path}`)] as const),
  ) as Record<Kind, Answered[]>
  const experiments = new Map(
    (await readAll(connection, `${base}/experiments`)).map(({ id, shortId }) => [id, shortId]),
  )
  const keyOf = new Map<string, string>(
    Object.values(lists).flatMap((rows) => rows.map(({ id, key }) => [id, key] as const)),
  )
  const names = (value: unknown) => withKeys(value, keyOf)
  const objects = {} as State['objects']
  for (const kind of kindNames)
    objects[kind] = recordOf(
      await eachOf(
        lists[kind].toSorted((one, other) => (one.key < other.key ? -1 : 1)),
        async (row) =>
          [row.key, { id: row.id, etag: '', body: managed(kinds[kind].fields, names(row) as Fields) }] as const,
      ),
    )
  const listed = (await readAll(connection, `${base}/flags`)).toSorted((one, other) => (one.key < other.key ? -1 : 1))
  const flags = await eachOf(listed, async (flag): Promise<[string, PresentFlag]> => {
    const environments: Record<string, PresentDraft> = recordOf([])
    let etag = ''
    const isWanted = flag.status !== 'ARCHIVED' && (!file || file.flagKeys.includes(flag.key))
    for (const { key } of isWanted ? lists.environments : []) {
      const path = `${base}/flags/${encodeURIComponent(flag.key)}/envs/${encodeURIComponent(key)}`
      const read = await readJson(connection, path)
      // Most flags have none, and each call counts against the rate limit.
      const hasRules = read.data.draft.rules.length + read.data.live.rules.length > 0
      const rules = hasRules ? await readAll(connection, `${path}/rules`) : []
      etag = read.etag
      environments[key] = presentDraft(read.data, rules, names, experiments)
    }
    return [
      flag.key,
      {
        id: flag.id,
        status: flag.status,
        etag,
        environments,
        wanted: {
          body: bodyOfFlag(flag),
          type: flag.type,
          variations: flag.variations.map(({ key, name, value }: Answered) => ({ key, name, value })),
          defaultVariationKey: flag.defaultVariationKey,
          environments: recordOf(Object.entries(environments).map(([key, { draft }]) => [key, draft])),
        },
      },
    ]
  })
  const self: string = me.id
  const source = file?.source ?? null
  const staged = recordOf(
    await eachOf(
      lists.environments,
      async ({ key }) => [key, await readStaged(connection, { project, env: key, self, source, keyOf })] as const,
    ),
  )
  const audienceUse = recordOf(
    lists.audiences.map(({ key, usedBy }) => [
      key,
      [...new Set<string>(usedBy.map(({ envId }: Answered) => keyOf.get(envId)))],
    ]),
  )
  const { key, name, type } = found
  return { project: { key, name, type }, self, source, objects, flags: recordOf(flags), staged, audienceUse }
}

/** People name the owner by e-mail address. */
const bodyOfFlag = (flag: Answered): Fields => ({
  ...Object.fromEntries(flagFields.map((field) => [field, flag[field]])),
  owner: flag.owner?.email ?? null,
})

/** Reads what waits in an environment. */
export async function readStaged(
  connection: Connection,
  {
    project,
    env,
    keyOf,
    ...run
  }: Pick<State, 'self' | 'source'> & {
    project: string
    env: string
    keyOf: ReadonlyMap<string, string>
  },
): Promise<Staged> {
  const path = `${projectPath(project)}/environments/${encodeURIComponent(env)}/staged`
  const { data, etag } = await readJson(connection, path)
  const isOwn = ({ changes }: Answered) => changes.every((change: StagedChange) => isOfFile(change, run))
  const keysOf = (audiences: Answered[]) => audiences.map(({ audienceId }) => keyOf.get(audienceId) ?? audienceId)
  return {
    flags: data.flags.map((flag: Answered) => flag.key),
    experiments: data.experiments.map(({ shortId }: Answered) => String(shortId)),
    ownAudiences: keysOf(data.audiences.filter(isOwn)),
    otherAudiences: keysOf(data.audiences.filter((each: Answered) => !isOwn(each))),
    etag,
  }
}

function presentDraft(
  data: Answered,
  rules: Answered[],
  names: (value: unknown) => unknown,
  experiments: Map<string, number>,
): PresentDraft {
  const rows = new Map(rules.map((rule) => [rule.id, rule]))
  const versionOf = (version: Answered): Drafted => {
    const ruleKeys = new Map(version.rules.map(({ id, key }: Answered) => [id, key]))
    return {
      enabled: data.enabled,
      defaultVariationKey: version.defaultVariationKey,
      rules: version.rules.map((rule: Answered): RuleBody => {
        const { id, shortId: _shortId, hashVersion: _hashVersion, restarts: _restarts, ...definition } = rule
        return { ...(names(definition) as RuleBody), ...(rows.has(id) && { enabled: rows.get(id).enabled }) }
      }),
      overrides: {
        environmentAllowlist: version.overrides.environmentAllowlist,
        ruleAllowlists: version.overrides.ruleAllowlists.map(({ ruleId, entries }: Answered) => ({
          ruleId: ruleKeys.get(ruleId) ?? ruleId,
          entries,
        })),
      },
    }
  }
  return {
    draft: versionOf(data.draft),
    live: versionOf(data.live),
    enabled: data.enabled,
    published: data.lastPublishedRevision,
    // The experiment alone decides what its rule tests.
    changes: data.changes.filter(({ path }: Answered) => !rows.get(path.split('.')[1])?.experimentId),
    experiments: recordOf(
      rules.flatMap(({ key, experimentId }) => (experimentId ? [[key, experiments.get(experimentId)!]] : [])),
    ),
  }
}

/** Keys in the place of ids, wherever a rule or an audience names something. */
function withKeys(value: unknown, keyOf: ReadonlyMap<string, string>): unknown {
  if (Array.isArray(value)) return value.map((each) => withKeys(each, keyOf))
  if (typeof value !== 'object' || value === null) return value
  const named = ['audience', 'segment', 'exclusionGroupId', 'holdoutId']
  return Object.fromEntries(
    Object.entries(value).map(([field, each]) => {
      if (named.includes(field) && typeof each === 'string') return [field, keyOf.get(each) ?? each]
      if (field === 'audienceIds' || field === 'environmentIds')
        return [field, each && (each as string[]).map((id) => keyOf.get(id) ?? id)]
      return [field, ['conditions', 'all', 'any', 'not'].includes(field) ? withKeys(each, keyOf) : each]
    }),
  )
}

/** The document of a state, for the file. `live`: what visitors get, in place of the drafts. */
export function documentOf(
  { project, objects, flags }: State,
  { live, overrides }: { live: boolean; overrides: boolean },
): Fields {
  const sections = kindNames.map((kind) => {
    const entries = Object.entries(objects[kind]).map(([key, { body }]) => {
      const entry = entryOf(kinds[kind].fields, body)
      return [key, kind === 'destinations' ? withoutSecrets(key, entry) : entry]
    })
    return [kind, Object.fromEntries(entries)] as const
  })
  const isLast = (kind: Kind) => kind === 'webhooks' || kind === 'destinations'
  const [last, others] = [sections.filter(([kind]) => isLast(kind)), sections.filter(([kind]) => !isLast(kind))]
  const filled = (list: typeof sections) => list.filter(([, entries]) => Object.keys(entries).length > 0)
  const kept = Object.entries(flags).filter(([, { status }]) => status !== 'ARCHIVED')
  const entries = kept.map(([key, { wanted, environments }]) => {
    const drafted = Object.fromEntries(
      Object.entries(environments).map(([env, present]) => {
        const version = live ? present.live : present.draft
        return [env, { ...version, overrides: overrides ? version.overrides : undefined }]
      }),
    )
    return [key, flagEntry({ ...wanted, environments: drafted }, (env, rule) => environments[env]?.experiments[rule])]
  })
  return {
    version: 1,
    project: { key: project.key, name: project.name },
    ...Object.fromEntries(filled(others)),
    ...(entries.length > 0 && { flags: Object.fromEntries(entries) }),
    ...Object.fromEntries(filled(last)),
  }
}
