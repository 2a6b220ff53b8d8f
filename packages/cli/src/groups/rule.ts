import type { components, Data } from '@svc/client'
import type { Condition } from '@svc/core'
import { command, type Group } from '../command.ts'
import type { OptionValues } from '../options.ts'
import { usage } from '../problem.ts'
import { type ProjectNames, readNames } from '../project-names.ts'
import type { Connection } from '../service/connection.ts'
import { etagOf } from '../service/etag.ts'
import { allOf } from '../service/pages.ts'
import { saidPropagation, waitOption, waitTime } from '../service/wait.ts'
import type { Session } from '../session.ts'
import { statusColor } from '../terminal/status-color.ts'
import type { Column } from '../terminal/table.ts'
import { shownTime } from '../terminal/times.ts'
import { allOfWhere, inWords } from '../values/conditions.ts'
import { limitOption, wholeNumber } from '../values/option-values.ts'
import { basisPoints, percent, splitOf } from '../values/shares.ts'

type Rule = Data<'/api/v1/projects/{projectId}/flags/{flagId}/envs/{envId}/rules', 'get'>[number]
type CreateBody = components['schemas']['CreateRuleBody']
type UpdateBody = components['schemas']['UpdateRuleBody']

const rulesPath = '/api/v1/projects/{projectId}/flags/{flagId}/envs/{envId}/rules'
const rulePath = `${rulesPath}/{ruleId}` as const
const keys = { FLAG: 'flag' } as const
const staged = 'svc publish makes it live.'

/** What both `add` and `set` can say about a rule. */
const definition = {
  name: { value: 'NAME', about: 'The name for people.' },
  description: { value: 'TEXT', about: 'What it is for.' },
  variation: { value: 'KEY', about: 'Give this variation.' },
  split: {
    value: 'SPLIT',
    about: 'Test variations against each other, such as control=50,short=50. The first is the baseline.',
  },
  percent: { value: 'N', about: 'The share of the visitors, in percent. Default: 100.' },
  where: {
    value: 'CONDITION',
    many: true,
    about: 'For whom: "country in NL,BE", "email exists", "segment vip". All of them must match.',
  },
  conditions: { value: 'FILE', about: 'For whom: JSON with conditions of the API; - is standard input.' },
  audience: {
    value: 'KEY',
    many: true,
    about: 'For whom: an audience, by key, id, short id or name.',
    keys: 'audience',
  },
  metric: { value: 'KEY', many: true, about: 'A primary metric of a split.', keys: 'metric' },
} as const

const list = command({
  name: 'rule list',
  summary: 'List the rules of a flag in an environment, as edited.',
  watch: true,
  args: ['FLAG'],
  keys,
  options: limitOption,
  async run({ args, options, session }) {
    const { project, env, connection, output } = session
    const path = { projectId: project, flagId: args.FLAG, envId: env }
    const rules = await allOf(
      (query) => connection.api.GET(rulesPath, { params: { path, query } }),
      wholeNumber(options.limit, '--limit'),
    )
    if (output.isJson) return output.data(rules, () => undefined)
    const names = await namesFor(rules, connection, project)
    output.rows(columnsWith(names), rules, `The flag ${args.FLAG} has no rule in ${env}.`)
  },
})

const get = command({
  name: 'rule get',
  summary: 'Show a rule.',
  watch: true,
  args: ['FLAG', 'RULE'],
  keys,
  async run({ args, session }) {
    const { connection, output, project } = session
    const { rule } = await readRule(session, args)
    if (output.isJson) return output.data(rule, () => undefined)
    const names = await namesFor([rule], connection, project)
    const named = (keys: readonly string[]) => keys.map(names.nameOf).join(', ')
    output.details([
      ['Key', rule.key],
      ['Name', rule.name],
      ['Description', rule.description],
      ['Position', rule.position + 1],
      ['Type', rule.type],
      ['Status', rule.status],
      ['Staged', rule.hasStagedChanges ? 'yes' : null],
      ['Who', who(rule, names)],
      ['Gets', gets(rule)],
      ['Share', percent(rule.trafficAllocation)],
      ['Bucketed by', rule.bucketBy],
      ...(rule.type === 'AB_TEST'
        ? ([
            ['Baseline', rule.baselineVariationKey],
            ['Metrics', named(rule.metrics.primary)],
            ['Secondary', named(rule.metrics.secondary)],
            ['Guardrails', named(rule.metrics.guardrails)],
            ['Hypothesis', rule.hypothesis],
          ] as const)
        : []),
      ['Short id', rule.shortId],
      ['Id', rule.id],
      ['Updated', shownTime(rule.updatedAt)],
    ])
  },
})

const add = command({
  name: 'rule add',
  summary: 'Stage a new rule.',
  about:
    'It gives a variation (--variation) or tests several (--split). Without --where, --conditions and --audience, it\napplies to everyone. Visitors get it after the next publish.',
  args: ['FLAG'],
  keys,
  options: {
    ...definition,
    key: { value: 'KEY', about: 'The key. Default: made from the name.' },
    position: { value: 'N', about: 'The place, from 1. Default: last.' },
    paused: { about: 'Publish it paused.' },
  },
  examples: [
    'svc rule add checkout --variation on --where "country in NL,BE" --percent 25',
    'svc rule add checkout --split off=50,on=50 --metric order_paid',
  ],
  async run({ args, options, session }) {
    const { project, env, connection, output } = session
    if ((options.variation === undefined) === (options.split === undefined))
      throw usage('A rule needs either --variation KEY or --split control=50,short=50.')
    const position = wholeNumber(options.position, '--position')
    const fields = await fieldsFrom(session, options)
    const body = {
      ...fields,
      type: options.split === undefined ? 'TARGETED_DELIVERY' : 'AB_TEST',
      name: options.name ?? nameFrom(options),
      ...(options.key !== undefined && { key: options.key }),
      enabled: !options.paused,
      ...(position !== undefined && { position: position - 1 }),
    } as CreateBody
    const { data } = await connection.api.POST(rulesPath, {
      params: { path: { projectId: project, flagId: args.FLAG, envId: env } },
      body,
    })
    const { key, name } = data!.data
    output.wrote(data!.data, `The rule ${key} "${name}" of ${args.FLAG} is staged in ${env}. ${staged}`)
  },
})

const set = command({
  name: 'rule set',
  summary: 'Stage a change of a rule.',
  args: ['FLAG', 'RULE'],
  keys,
  options: {
    ...definition,
    'confirm-reassignment': {
      about: 'Change the split of a running test, although visitors get a different variation.',
    },
  },
  examples: ['svc rule set checkout benelux --percent 50'],
  async run({ args, options, session }) {
    const { project, env, connection, output } = session
    const fields = await fieldsFrom(session, options)
    if (Object.keys(fields).length === 0) throw usage('Nothing to change is given. See svc rule set --help.')
    const { rule, etag } = await readRule(session, args)
    if (options.split !== undefined && rule.type !== 'AB_TEST')
      throw usage(`The rule ${args.RULE} gives one variation. Use --variation, or add another rule with --split.`)
    if (options.variation !== undefined && rule.type === 'AB_TEST')
      throw usage(`The rule ${args.RULE} tests several variations. Use --split, or add another rule with --variation.`)
    const { data } = await connection.api.PATCH(rulePath, {
      params: {
        path: { projectId: project, flagId: args.FLAG, envId: env, ruleId: args.RULE },
        header: { 'x-svc-if-match': etag },
      },
      body: {
        ...fields,
        ...keptMetrics(fields, rule),
        ...(options['confirm-reassignment'] && { confirmReassignment: true }),
      } as UpdateBody,
    })
    output.wrote(data!.data, `The change of the rule ${args.RULE} of ${args.FLAG} is staged in ${env}. ${staged}`)
  },
})

const switched = (verb: 'run' | 'pause') =>
  command({
    name: `rule ${verb}`,
    summary: verb === 'run' ? 'Turn a rule on.' : 'Turn a rule off.',
    about: 'It acts at once, without a publish.',
    args: ['FLAG', 'RULE'],
    keys,
    options: waitOption,
    async run({ args, options, session }) {
      const { project, env, connection, output } = session
      const wait = waitTime(options.wait, session.settings.timeoutMs)
      const { data } = await connection.api.POST(`${rulePath}/${verb}`, {
        params: {
          path: { projectId: project, flagId: args.FLAG, envId: env, ruleId: args.RULE },
          query: { ...(wait !== undefined && { wait }) },
        },
      })
      const { changed, dataFile, propagation } = data!.data
      const state = verb === 'run' ? 'runs' : 'is paused'
      output.wrote(
        data!.data,
        `The rule ${args.RULE} of ${args.FLAG} ${changed ? state : `already ${state}`} in ${env}, revision ${dataFile.revision}.`,
      )
      saidPropagation(propagation, output)
    },
  })

const move = command({
  name: 'rule move',
  summary: 'Stage a new place of a rule in the order of evaluation.',
  args: ['FLAG', 'RULE', 'POSITION'],
  keys,
  examples: ['svc rule move checkout benelux 1'],
  async run({ args, session }) {
    const { project, env, connection, output } = session
    const position = wholeNumber(args.POSITION, 'POSITION')!
    const { etag } = await readRule(session, args)
    const { data } = await connection.api.PATCH(rulePath, {
      params: {
        path: { projectId: project, flagId: args.FLAG, envId: env, ruleId: args.RULE },
        header: { 'x-svc-if-match': etag },
      },
      body: { position: position - 1 },
    })
    output.wrote(
      data!.data,
      `The place ${data!.data.position + 1} of the rule ${args.RULE} is staged in ${env}. ${staged}`,
    )
  },
})

const copy = command({
  name: 'rule copy',
  summary: 'Stage copies of all rules that a flag has in a different environment.',
  args: ['FLAG'],
  keys,
  options: { from: { value: 'ENV', about: 'The environment to copy from.', keys: 'environment' } },
  examples: ['svc rule copy checkout --from development --env production'],
  async run({ args, options, session }) {
    const { project, env, connection, output } = session
    if (options.from === undefined) throw usage('--from is missing: svc rule copy FLAG --from ENV.')
    const { data } = await connection.api.POST(`${rulesPath}/copy`, {
      params: { path: { projectId: project, flagId: args.FLAG, envId: env } },
      body: { sourceEnvId: options.from },
    })
    const { length } = data!.data.rules
    output.wrote(data!.data, `${length} ${length === 1 ? 'rule is' : 'rules are'} copied to ${env}. ${staged}`)
  },
})

const remove = command({
  name: 'rule delete',
  summary: 'Stage the deletion of a rule.',
  args: ['FLAG', 'RULE'],
  keys,
  async run({ args, session }) {
    const { project, env, connection, output, prompt } = session
    await prompt.confirm(`Delete the rule ${args.RULE} of ${args.FLAG} in ${env}?`)
    await connection.api.DELETE(rulePath, {
      params: { path: { projectId: project, flagId: args.FLAG, envId: env, ruleId: args.RULE } },
    })
    output.wrote(null, `The deletion of the rule ${args.RULE} is staged in ${env}. ${staged}`)
  },
})

export const rule: Group = {
  name: 'rule',
  summary: 'Decide which visitors get which variation.',
  commands: [list, get, add, set, switched('run'), switched('pause'), move, copy, remove],
}

async function readRule(
  { project, env, connection }: Session,
  { FLAG, RULE }: { FLAG: string; RULE: string },
): Promise<{ rule: Rule; etag: string }> {
  const { data, response } = await connection.api.GET(rulePath, {
    params: { path: { projectId: project, flagId: FLAG, envId: env, ruleId: RULE } },
  })
  return { rule: data!.data, etag: etagOf(response) }
}

/** The fields of a body that options name. */
async function fieldsFrom(
  session: Session,
  options: OptionValues<typeof definition>,
): Promise<Record<string, unknown>> {
  const { name, description, variation, split, percent: share, where, conditions: file, audience, metric } = options
  if (variation !== undefined && split !== undefined) throw usage('Use either --variation or --split.')
  // Otherwise the message would be about the blank name that is made from it.
  if (variation === '') throw usage('--variation must not be empty.')
  if (where && file !== undefined) throw usage('Use either --where or --conditions.')
  if (metric && variation !== undefined) throw usage('--metric requires --split.')
  const variations = split === undefined ? undefined : splitOf(split)
  const condition = where
    ? allOfWhere(where)
    : file === undefined
      ? undefined
      : ((await session.readJson(file)) as Condition)
  const needsNames = where?.some((text) => /^(segment|audience)\s/.test(text.trim())) || audience || metric
  const names = needsNames ? await readNames(session.connection, session.project) : undefined
  return {
    ...(name !== undefined && { name }),
    ...(description !== undefined && { description: description || null }),
    ...(variation !== undefined && { variationKey: variation }),
    ...(variations && { variations, baselineVariationKey: variations[0]!.variationKey }),
    ...(share !== undefined && { trafficAllocation: basisPoints(share, '--percent') }),
    // Conditions of a file are the API's, with ids.
    ...(condition !== undefined && { conditions: where && names ? names.withIds(condition) : condition }),
    ...(audience && { audienceIds: audience.map((each) => names!.idOf('audience', each)) }),
    ...(metric && { metrics: { primary: metric.map(names!.metricKeyOf) } }),
  }
}

/** The API sets all roles of metrics together, so the request also contains those that no option names. */
const keptMetrics = ({ metrics }: Record<string, unknown>, rule: Rule): object =>
  metrics && rule.type === 'AB_TEST' ? { metrics: { ...rule.metrics, ...metrics } } : {}

const longestName = 200

/** `on for country in NL,BE` */
function nameFrom({ variation, split, where, audience }: OptionValues<typeof definition>): string {
  const forWhom = [...(audience ?? []), ...(where ?? [])].join(' and ')
  const what =
    variation ??
    `Test of ${splitOf(split!)
      .map(({ variationKey }) => variationKey)
      .join(' and ')}`
  return (forWhom ? `${what} for ${forWhom}` : what).slice(0, longestName)
}

const nameless: ProjectNames = {
  idOf: (_kind, id) => id,
  metricKeyOf: (key) => key,
  nameOf: (id) => id,
  withIds: (condition) => condition,
}

/** The names that rules mention; nothing is read if they mention none. */
function namesFor(rules: Rule[], connection: Connection, project: string): Promise<ProjectNames> {
  const mentions = rules.some(
    ({ audienceIds, conditions, ...more }) =>
      audienceIds.length > 0 || /"(audience|segment)":/.test(JSON.stringify(conditions)) || more.type === 'AB_TEST',
  )
  return mentions ? readNames(connection, project) : Promise.resolve(nameless)
}

const columnsWith = (names: ProjectNames): Column<Rule>[] => [
  { head: '#', cell: ({ position }) => position + 1, right: true },
  { head: 'KEY', cell: ({ key }) => key },
  { head: 'TYPE', cell: ({ type }) => type },
  {
    head: 'STATUS',
    cell: ({ status, hasStagedChanges }) => `${status}${hasStagedChanges ? '*' : ''}`,
    color: ({ status }) => statusColor(status),
  },
  { head: 'WHO', cell: (rule) => who(rule, names) },
  { head: 'GETS', cell: gets },
  { head: 'SHARE', cell: ({ trafficAllocation }) => percent(trafficAllocation), right: true },
]

function who({ audienceIds, conditions }: Rule, { nameOf }: ProjectNames): string {
  const parts = [
    ...audienceIds.map((id) => `audience ${nameOf(id)}`),
    inWords(conditions, nameOf, audienceIds.length > 0),
  ]
  return parts.filter((part) => part !== '').join(' and ') || 'everyone'
}

const gets = (rule: Rule): string =>
  rule.type === 'AB_TEST'
    ? rule.variations.map(({ variationKey, weight }) => `${variationKey} ${percent(weight)}`).join(', ')
    : rule.variationKey
