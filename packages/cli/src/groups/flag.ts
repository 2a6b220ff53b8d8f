import type { components, Data } from '@svc/client'
import { command, type Group } from '../command.ts'
import { Problem, usage } from '../problem.ts'
import type { Connection } from '../service/connection.ts'
import { etagOf } from '../service/etag.ts'
import { allOf } from '../service/pages.ts'
import { saidPropagation, waitOption, waitTime } from '../service/wait.ts'
import { shownPath } from '../session.ts'
import { statusColor } from '../terminal/status-color.ts'
import type { Column } from '../terminal/table.ts'
import { shownTime } from '../terminal/times.ts'
import { limitOption, nameFromKey, pairOf, wholeNumber } from '../values/option-values.ts'

type Flag = Data<'/api/v1/projects/{projectId}/flags/{flagId}', 'get'>
type Environment = Data<'/api/v1/projects/{projectId}/environments', 'get'>[number]
type Variation = components['schemas']['ReplaceVariationsBody']['variations'][number]

const types = ['BOOLEAN', 'STRING', 'NUMBER', 'JSON'] as const
const statuses = ['DRAFT', 'PAUSED', 'RUNNING', 'ARCHIVED'] as const
const keys = { KEY: 'flag' } as const

const list = command({
  name: 'flag list',
  summary: 'List the flags of a project.',
  watch: true,
  about: 'The column of an environment shows whether the flag is on there; * marks staged changes.',
  options: {
    status: { value: 'STATUS', about: 'Only flags with this status.', choices: statuses },
    type: { value: 'TYPE', about: 'Only flags of this type.', choices: types },
    tag: { value: 'TAG', about: 'Only flags with this tag.' },
    owner: {
      value: 'WHO',
      about: 'Only flags of this person: an e-mail address, me, or none for flags without an owner.',
    },
    stale: { about: 'Only flags that can probably be removed.' },
    search: { value: 'TEXT', about: 'Only flags with this text in name or key.' },
    ...limitOption,
  },
  examples: ['svc flag list --stale', 'svc flag list --owner me', "svc flag list --json | jq -r '.[].key'"],
  async run({ options, session }) {
    const { project, connection, output } = session
    const { status, type, tag, owner, stale, search } = options
    const filter = {
      ...(status !== undefined && { status: status as (typeof statuses)[number] }),
      ...(type !== undefined && { type: type as (typeof types)[number] }),
      ...(tag !== undefined && { tag }),
      ...(owner !== undefined && { owner }),
      ...(stale && { stale: 'true' as const }),
      ...(search !== undefined && { q: search }),
    }
    const flags = await allOf(
      (query) =>
        connection.api.GET('/api/v1/projects/{projectId}/flags', {
          params: { path: { projectId: project }, query: { ...query, ...filter } },
        }),
      wholeNumber(options.limit, '--limit'),
    )
    if (output.isJson) return output.data(flags, () => undefined)
    const environments = flags.length === 0 ? [] : await environmentsOf(connection, project)
    output.rows(columnsFor(environments), flags, 'No flag matches.')
  },
})

const get = command({
  name: 'flag get',
  summary: 'Show a flag with its variations and environments.',
  watch: true,
  args: ['KEY'],
  keys,
  async run({ args, session }) {
    const { project, connection, output } = session
    const { flag } = await readFlag(connection, project, args.KEY)
    if (output.isJson) return output.data(flag, () => undefined)
    const environments = await environmentsOf(connection, project)
    output.details([
      ['Key', flag.key],
      ['Name', flag.name],
      ['Description', flag.description],
      ['Type', flag.type],
      ['Status', flag.status],
      ['Stale', flag.stale ? 'yes' : null],
      ['Permanent', flag.permanent ? 'yes' : null],
      ['Tags', flag.tags.join(', ')],
      ['Owner', flag.owner && `${flag.owner.name} <${flag.owner.email}>${flag.owner.left ? ', who has left' : ''}`],
      ['Default', flag.defaultVariationKey],
      ['Updated', shownTime(flag.updatedAt)],
    ])
    output.line()
    output.rows(variationColumns, flag.variations, '')
    output.line()
    output.rows<Flag['environments'][number]>(
      [
        { head: 'ENVIRONMENT', cell: ({ envId, name }) => environments.find(({ id }) => id === envId)?.key ?? name },
        { head: 'SWITCH', cell: ({ enabled }) => (enabled ? 'on' : 'off') },
        { head: 'DEFAULT', cell: ({ defaultVariationId: id }) => flag.variations.find((each) => each.id === id)?.key },
        { head: 'RULES', cell: ({ ruleCount, runningRuleCount }) => `${runningRuleCount} of ${ruleCount} run` },
        { head: 'OVERRIDES', cell: ({ overrideCount }) => overrideCount, right: true },
        { head: 'STAGED', cell: ({ staged }) => stagedParts(staged) },
        { head: 'LAST EVALUATED', cell: ({ lastEvaluatedAt }) => shownTime(lastEvaluatedAt) || 'never' },
      ],
      flag.environments,
      '',
    )
  },
})

const create = command({
  name: 'flag create',
  summary: 'Create a flag.',
  about:
    'Defaults: the name is made from the key; the type is BOOLEAN with the variations on and off; the default\nvariation is off for a BOOLEAN flag, and the first variation for any other flag.',
  args: ['KEY'],
  options: {
    type: { value: 'TYPE', about: 'The type of its values.', choices: types },
    variation: { value: 'KEY=VALUE', many: true, about: 'A variation.' },
    default: { value: 'KEY', about: 'The variation for everyone without a rule.' },
    name: { value: 'NAME', about: 'The name for people.' },
    description: { value: 'TEXT', about: 'What it is for.' },
    tag: { value: 'TAG', many: true, about: 'A tag.' },
    owner: {
      value: 'EMAIL',
      about: 'Who looks after it; empty for nobody. Default: you, unless the token is of a service.',
    },
    permanent: { about: 'Keep the flag for good, so that it never counts as stale.' },
  },
  examples: [
    'svc flag create one-page-checkout',
    'svc flag create page-size --type NUMBER --variation small=10 --variation large=50',
  ],
  async run({ args, options, session }) {
    const { project, connection, output } = session
    const type = (options.type ?? 'BOOLEAN') as (typeof types)[number]
    const variations = variationsFrom(options.variation, type)
    const body = {
      key: args.KEY,
      name: options.name ?? nameFromKey(args.KEY),
      type,
      variations,
      defaultVariationKey:
        options.default ??
        (variations.find(({ value }) => type === 'BOOLEAN' && value === 'false') ?? variations[0]!).key,
      ...(options.description !== undefined && { description: options.description }),
      ...(options.tag && { tags: options.tag }),
      ...(options.owner !== undefined && { owner: options.owner || null }),
      ...(options.permanent && { permanent: true }),
    }
    const { data } = await connection.api.POST('/api/v1/projects/{projectId}/flags', {
      params: { path: { projectId: project } },
      body,
    })
    output.wrote(data!.data, `The flag ${data!.data.key} is created. It is off in every environment.`)
  },
})

const set = command({
  name: 'flag set',
  summary: 'Change a flag.',
  about:
    'With --default it changes the environment of --env: it stages the variation for everyone without a rule, which\nthe next publish makes live. All other options change the flag everywhere, at once.',
  args: ['KEY'],
  keys,
  options: {
    name: { value: 'NAME', about: 'The name for people.' },
    description: { value: 'TEXT', about: 'What it is for; empty for none.' },
    key: { value: 'KEY', about: 'A new key, for a flag that has never run.' },
    tag: { value: 'TAG', many: true, about: 'The new tags, which replace the old ones; empty for none.' },
    owner: { value: 'EMAIL', about: 'Who looks after it; empty for nobody.' },
    permanent: {
      value: 'yes|no',
      about: 'Whether to keep the flag for good, so that it never counts as stale.',
      choices: ['yes', 'no'],
    },
    default: { value: 'KEY', about: 'The variation for everyone without a rule, in one environment.' },
  },
  examples: [
    'svc flag set checkout --name "New checkout" --tag web',
    'svc flag set checkout --default on --env development',
  ],
  async run({ args, options, session }) {
    const { project, connection, output } = session
    const { name, description, key, tag, owner, permanent, default: variation } = options
    const body = {
      ...(name !== undefined && { name }),
      ...(description !== undefined && { description: description || null }),
      ...(key !== undefined && { key }),
      ...(tag && { tags: tag.filter((each) => each !== '') }),
      ...(owner !== undefined && { owner: owner || null }),
      ...(permanent !== undefined && { permanent: permanent === 'yes' }),
    }
    const isEdit = Object.keys(body).length > 0
    if (isEdit === (variation !== undefined))
      throw usage(
        isEdit
          ? '--default changes one environment, and the other options change the flag. Use two commands.'
          : 'Nothing to change is given. See svc flag set --help.',
      )
    const { flag, etag } = await readFlag(connection, project, args.KEY)
    if (variation !== undefined) {
      const found = flag.variations.find((each) => each.key === variation)
      if (!found) throw unknownVariation(flag, variation)
      const { data } = await connection.api.PATCH('/api/v1/projects/{projectId}/flags/{flagId}/envs/{envId}', {
        params: {
          path: { projectId: project, flagId: flag.id, envId: session.env },
          header: { 'x-svc-if-match': etag },
        },
        body: { defaultVariationId: found.id },
      })
      return output.wrote(
        data!.data,
        `The default of ${flag.key} in ${session.env} is staged. svc publish ${flag.key} makes it live.`,
      )
    }
    const { data } = await connection.api.PATCH('/api/v1/projects/{projectId}/flags/{flagId}', {
      params: { path: { projectId: project, flagId: flag.id }, header: { 'x-svc-if-match': etag } },
      body,
    })
    output.wrote(data!.data, `The flag ${data!.data.key} is changed.`)
  },
})

const switched = (verb: 'run' | 'pause') =>
  command({
    name: `flag ${verb}`,
    summary: verb === 'run' ? 'Turn a flag on in an environment.' : 'Turn a flag off in an environment.',
    about: 'It acts at once, without a publish.',
    args: ['KEY'],
    keys,
    options: waitOption,
    examples: [`svc flag ${verb} checkout --env production --wait`],
    async run({ args, options, session }) {
      const { project, env, connection, output } = session
      const wait = waitTime(options.wait, session.settings.timeoutMs)
      const { data } = await connection.api.POST(`/api/v1/projects/{projectId}/flags/{flagId}/envs/{envId}/${verb}`, {
        params: {
          path: { projectId: project, flagId: args.KEY, envId: env },
          query: { ...(wait !== undefined && { wait }) },
        },
      })
      const { changed, dataFile, propagation } = data!.data
      const state = verb === 'run' ? 'runs' : 'is paused'
      output.wrote(
        data!.data,
        `The flag ${args.KEY} ${changed ? state : `already ${state}`} in ${env}, revision ${dataFile.revision}.`,
      )
      saidPropagation(propagation, output)
    },
  })

const archive = command({
  name: 'flag archive',
  summary: 'Archive a flag that is not running.',
  args: ['KEY'],
  keys,
  async run({ args, session }) {
    const { project, connection, output, prompt } = session
    await prompt.confirm(
      `Archive the flag ${args.KEY}? It is removed from all data files, so programs get the defaults in their code.`,
    )
    const { data } = await connection.api.POST('/api/v1/projects/{projectId}/flags/{flagId}/archive', {
      params: { path: { projectId: project, flagId: args.KEY } },
    })
    output.wrote(data!.data, `The flag ${args.KEY} is archived.`)
  },
})

const unarchive = command({
  name: 'flag unarchive',
  summary: 'Take a flag out of the archive.',
  args: ['KEY'],
  keys,
  async run({ args, session }) {
    const { project, connection, output } = session
    const { data } = await connection.api.POST('/api/v1/projects/{projectId}/flags/{flagId}/unarchive', {
      params: { path: { projectId: project, flagId: args.KEY } },
    })
    output.wrote(data!.data, `The flag ${args.KEY} is unarchived. It is off in every environment.`)
  },
})

const remove = command({
  name: 'flag delete',
  summary: 'Delete a flag.',
  args: ['KEY'],
  keys,
  async run({ args, session }) {
    const { project, connection, output, prompt } = session
    await prompt.confirm(`Delete the flag ${args.KEY} forever?`)
    await connection.api.DELETE('/api/v1/projects/{projectId}/flags/{flagId}', {
      params: { path: { projectId: project, flagId: args.KEY } },
    })
    output.wrote(null, `The flag ${args.KEY} is deleted.`)
  },
})

type Revision = Data<'/api/v1/projects/{projectId}/environments/{envId}/revisions', 'get'>[number]

/** "paused a rule". */
function whyOf({ reason, switched: moved, step }: Revision): string | undefined {
  const why = moved ? movedWords(moved) : reason?.toLowerCase().replaceAll('_', ' ')
  return step > 0 ? `${why}; visitors get the same` : why
}

const movedWords = (moved: NonNullable<Revision['switched']>): string =>
  `${moved.to === 'RUN' ? 'ran' : 'paused'}${moved.what === 'RULE' ? ' a rule' : ''}`

/** "41", and "41.1" for the first publish after it that left the data file as it was. */
const labelOf = ({ revision, step }: Revision): string => (step === 0 ? String(revision) : `${revision}.${step}`)

const history = command({
  name: 'flag history',
  summary: 'List the revisions of an environment that changed a flag.',
  args: ['KEY'],
  keys,
  options: limitOption,
  async run({ args, options, session }) {
    const { project, env, connection, output } = session
    const revisions = await allOf(
      (query) =>
        connection.api.GET('/api/v1/projects/{projectId}/environments/{envId}/revisions', {
          params: { path: { projectId: project, envId: env }, query: { ...query, flagId: args.KEY } },
        }),
      wholeNumber(options.limit, '--limit'),
    )
    output.data(revisions, () =>
      output.rows(
        [
          { head: 'REVISION', cell: labelOf, right: true },
          { head: 'PUBLISHED', cell: ({ publishedAt }) => shownTime(publishedAt) },
          { head: 'WHO', cell: ({ publishedBy }) => publishedBy?.name },
          { head: 'WHY', cell: whyOf },
          { head: 'COMMENT', cell: ({ comment }) => comment },
        ],
        revisions,
        `No revision of ${env} has changed the flag ${args.KEY}.`,
      ),
    )
  },
})

const variations = command({
  name: 'flag variations',
  summary: 'Show the variations of a flag, or replace them.',
  about:
    'The file is JSON: a list of { "key", "name", "value" }, or { "variations": […], "defaultVariationKey" }. A variation\nwith the key of an existing one changes it. Without a file, the variations are printed.',
  args: ['KEY'],
  keys,
  options: { file: { value: 'FILE', short: 'f', about: 'The new variations; - is standard input.' } },
  examples: [
    'svc flag variations checkout --json > variations.json',
    'svc flag variations checkout -f variations.json',
  ],
  async run({ args, options, session }) {
    const { project, connection, output } = session
    const { flag, etag } = await readFlag(connection, project, args.KEY)
    if (options.file === undefined)
      return output.data(flag.variations, () => output.rows(variationColumns, flag.variations, ''))
    const content = await session.readJson(options.file)
    const body = Array.isArray(content) ? { variations: content } : (content as Record<string, unknown>)
    if (!Array.isArray(body?.variations))
      throw new Problem(
        'file_invalid',
        `${shownPath(options.file)} must be a list of variations, or have "variations".`,
      )
    const withIds = body.variations.map((given: unknown) => withId(given, flag.variations))
    const { data } = await connection.api.PUT('/api/v1/projects/{projectId}/flags/{flagId}/variations', {
      params: { path: { projectId: project, flagId: flag.id }, header: { 'x-svc-if-match': etag } },
      // The service checks all other fields of the file.
      body: { ...body, variations: withIds as Variation[] },
    })
    output.wrote(
      data!.data,
      `The variations of ${flag.key} are changed. Keys and values go live with the next publish of each environment.`,
    )
  },
})

export const flag: Group = {
  name: 'flag',
  summary: 'Create, change, run and pause flags.',
  commands: [
    list,
    get,
    create,
    set,
    switched('run'),
    switched('pause'),
    archive,
    unarchive,
    remove,
    history,
    variations,
  ],
}

export async function readFlag(
  { api }: Connection,
  projectId: string,
  flagId: string,
): Promise<{ flag: Flag; etag: string }> {
  const { data, response } = await api.GET('/api/v1/projects/{projectId}/flags/{flagId}', {
    params: { path: { projectId, flagId } },
  })
  return { flag: data!.data, etag: etagOf(response) }
}

const environmentsOf = ({ api }: Connection, projectId: string): Promise<Environment[]> =>
  allOf((query) => api.GET('/api/v1/projects/{projectId}/environments', { params: { path: { projectId }, query } }))

function columnsFor(environments: Environment[]): Column<Flag>[] {
  const inEnvironment = (flag: Flag, id: string) => flag.environments.find(({ envId }) => envId === id)
  return [
    { head: 'KEY', cell: ({ key }) => key },
    { head: 'TYPE', cell: ({ type }) => type },
    { head: 'STATUS', cell: ({ status }) => status, color: ({ status }) => statusColor(status) },
    ...environments.map(
      ({ id, key }): Column<Flag> => ({
        head: key.toUpperCase(),
        cell(flag) {
          const found = inEnvironment(flag, id)
          return found && `${found.enabled ? 'on' : 'off'}${stagedParts(found.staged) ? '*' : ''}`
        },
        color: (flag) => (inEnvironment(flag, id)?.enabled ? 'green' : undefined),
      }),
    ),
    { head: 'TAGS', cell: ({ tags }) => tags.join(', ') },
    { head: 'UPDATED', cell: ({ updatedAt }) => shownTime(updatedAt) },
  ]
}

/** What the next publish would change: `default, 2 rules`. Empty if nothing is staged. */
function stagedParts({
  defaultVariationId,
  variations: changed,
  overrides,
  rules,
}: Flag['environments'][number]['staged']): string {
  return [
    defaultVariationId && 'default',
    changed && 'variations',
    overrides && 'overrides',
    rules > 0 && `${rules} ${rules === 1 ? 'rule' : 'rules'}`,
  ]
    .filter(Boolean)
    .join(', ')
}

const variationColumns: Column<Flag['variations'][number]>[] = [
  { head: 'VARIATION', cell: ({ key }) => key },
  { head: 'NAME', cell: ({ name }) => name },
  { head: 'VALUE', cell: ({ value }) => value },
]

type Type = (typeof types)[number]

const rules: Record<Type, string> = {
  BOOLEAN: 'true or false',
  STRING: 'text',
  NUMBER: 'a number, such as 0.25',
  JSON: 'JSON, such as {"color":"blue"}',
}
/** The service checks values only after their number, but a mistyped single value must be the first complaint. */
const isOfType: Record<Type, (value: string) => boolean> = {
  BOOLEAN: (value) => value === 'true' || value === 'false',
  STRING: () => true,
  NUMBER: (value) => typeof jsonOf(value) === 'number',
  JSON: (value) => jsonOf(value) !== undefined,
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

function variationsFrom(given: string[] | undefined, type: Type): { key: string; name: string; value: string }[] {
  if (given)
    return given.map((text) => {
      const [key, value] = pairOf(text, '--variation')
      const rule = isOfType[type](value) ? undefined : rules[type]
      if (rule) throw usage(`--variation ${text}: the value of a ${type} flag must be ${rule}.`)
      return { key, name: nameFromKey(key), value }
    })
  if (type !== 'BOOLEAN') throw usage(`A ${type} flag needs variations: --variation KEY=VALUE, two to four times.`)
  return [
    { key: 'on', name: 'On', value: 'true' },
    { key: 'off', name: 'Off', value: 'false' },
  ]
}

export const unknownVariation = (
  { key, variations: known }: Pick<Flag, 'key' | 'variations'>,
  given: string,
): Problem =>
  new Problem(
    'not_found',
    `The flag ${key} has no variation "${given}". It has ${known.map((each) => each.key).join(', ')}.`,
  )

/** Without its id, a variation of the file would be a new one and replace the old one of the same key. */
function withId(given: unknown, known: Flag['variations']): unknown {
  if (typeof given !== 'object' || given === null || 'id' in given) return given
  const { key, name } = given as { key?: unknown; name?: unknown }
  const found = known.find((each) => each.key === key)
  const named = name === undefined && typeof key === 'string' ? { name: found?.name ?? nameFromKey(key) } : {}
  return { ...given, ...named, ...(found && { id: found.id }) }
}
