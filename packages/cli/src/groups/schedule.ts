import type { Data } from '@svc/client'
import { command, type Group } from '../command.ts'
import type { OptionValues } from '../options.ts'
import { usage } from '../problem.ts'
import { allOf } from '../service/pages.ts'
import type { Session } from '../session.ts'
import { shownTime } from '../terminal/times.ts'
import { laterMomentOf } from '../values/moments.ts'
import { limitOption, wholeNumber } from '../values/option-values.ts'

type Schedule = Data<'/api/v1/projects/{projectId}/flags/{flagId}/envs/{envId}/schedule', 'get'>

const keys = { FLAG: 'flag' } as const
const whose = {
  rule: { value: 'RULE', about: 'Use the schedule of this rule instead of the schedule of the flag.' },
  experiment: { value: 'KEY', about: 'Use the schedule of this experiment. Omit FLAG.', keys: 'experiment' },
} as const

const list = command({
  name: 'schedule list',
  summary: 'List the open schedules of a project, and those that failed in the last 7 days.',
  watch: true,
  options: { flag: { value: 'KEY', about: 'Only schedules of this flag.', keys: 'flag' }, ...limitOption },
  async run({ options, session }) {
    const { project, connection, output } = session
    const { flag } = options
    const schedules = await allOf(
      (query) =>
        connection.api.GET('/api/v1/projects/{projectId}/schedules', {
          params: { path: { projectId: project }, query: { ...query, ...(flag !== undefined && { flagId: flag }) } },
        }),
      wholeNumber(options.limit, '--limit'),
    )
    output.data(schedules, () =>
      output.rows(
        [
          { head: 'TIME', cell: ({ runAt }) => shownTime(runAt) },
          { head: 'DOES', cell: ({ action }) => action },
          { head: 'FLAG', cell: (each) => each.flag?.key },
          { head: 'ENV', cell: ({ environment }) => environment.key },
          { head: 'RULE', cell: ({ rule, experiment }) => experiment?.name ?? rule?.name },
          { head: 'STATUS', cell: ({ status }) => status },
          { head: 'WHO', cell: ({ by }) => by?.name },
          { head: 'NOTE', cell: ({ note, failureReason }) => failureReason ?? note },
        ],
        schedules,
        'Nothing is scheduled.',
      ),
    )
  },
})

const get = command({
  name: 'schedule get',
  summary: 'Show the schedule of a flag, a rule or an experiment.',
  watch: true,
  args: ['[FLAG]'],
  keys,
  options: whose,
  async run({ args, options, session }) {
    const { data } = await ask(session, 'GET', placeOf(session, args.FLAG, options))
    session.output.data(data, () =>
      session.output.details([
        ['Time', shownTime(data.runAt)],
        ['Time zone', data.timezone],
        ['Does', data.action],
        ['Status', data.status],
        ['Note', data.note],
        ['Failure', data.failureReason],
      ]),
    )
  },
})

const set = command({
  name: 'schedule set',
  summary: 'Run or pause a flag, a rule or an experiment at a time.',
  about:
    'It replaces the open schedule, if there is one. A time has an offset, such as Z or +01:00, or is in the time zone of\n--timezone, such as "2026-12-01 09:00". A duration such as 2h counts from now.',
  args: ['[FLAG]'],
  keys,
  options: {
    run: { value: 'TIME', about: 'Run it at this time.' },
    pause: { value: 'TIME', about: 'Pause it at this time.' },
    timezone: {
      value: 'ZONE',
      about:
        'The zone of a time without an offset, such as Europe/Amsterdam. The dashboard shows the time in it. If omitted: UTC.',
    },
    note: { value: 'TEXT', about: 'Why.' },
    ...whose,
  },
  examples: [
    'svc schedule set checkout --run 2026-12-01T09:00:00+01:00 --note Launch',
    'svc schedule set checkout --pause 2h',
    'svc schedule set checkout --pause "2026-12-24 18:00" --timezone Europe/Amsterdam',
  ],
  async run({ args, options, session }) {
    const { run, pause, timezone, note } = options
    const runAt = run ?? pause
    if (runAt === undefined || (run !== undefined && pause !== undefined)) throw usage('Use either --run or --pause.')
    const place = placeOf(session, args.FLAG, options)
    const { data } = await ask(session, 'PUT', place, {
      action: run === undefined ? 'PAUSE' : 'RUN',
      runAt: laterMomentOf(runAt, run === undefined ? '--pause' : '--run', session.world.now(), timezone),
      ...(timezone !== undefined && { timezone }),
      ...(note !== undefined && { note }),
    })
    const does = data.action === 'RUN' ? 'runs' : 'pauses'
    session.output.wrote(data, `The ${place.called} ${does} at ${shownTime(data.runAt)} UTC.`)
  },
})

const cancel = command({
  name: 'schedule cancel',
  summary: 'Cancel the schedule of a flag, a rule or an experiment.',
  args: ['[FLAG]'],
  keys,
  options: whose,
  async run({ args, options, session }) {
    const place = placeOf(session, args.FLAG, options)
    const { data } = await ask(session, 'DELETE', place)
    session.output.wrote(data, `The schedule of the ${place.called} is cancelled.`)
  },
})

export const schedule: Group = {
  name: 'schedule',
  summary: 'Run and pause at a set time.',
  commands: [list, get, set, cancel],
}

interface Place {
  path: string
  called: string
}

function placeOf(session: Session, flag: string | undefined, options: OptionValues<typeof whose>): Place {
  const { rule, experiment } = options
  const project = `/api/v1/projects/${encodeURIComponent(session.project)}`
  if (experiment !== undefined) {
    if (flag !== undefined || rule !== undefined) throw usage('--experiment cannot be used with FLAG or --rule.')
    return {
      path: `${project}/experiments/${encodeURIComponent(experiment)}/schedule`,
      called: `experiment ${experiment}`,
    }
  }
  if (flag === undefined) throw usage('FLAG is missing. Name a flag, or use --experiment.')
  const place = `${project}/flags/${encodeURIComponent(flag)}/envs/${encodeURIComponent(session.env)}`
  if (rule === undefined) return { path: `${place}/schedule`, called: `flag ${flag} in ${session.env}` }
  return {
    path: `${place}/rules/${encodeURIComponent(rule)}/schedule`,
    called: `rule ${rule} of ${flag} in ${session.env}`,
  }
}

async function ask(
  { connection }: Session,
  method: 'GET' | 'PUT' | 'DELETE',
  { path }: Place,
  body?: unknown,
): Promise<{ data: Schedule }> {
  const response = await connection.send(method, path, {
    ...(body !== undefined && { headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) }),
  })
  return (await response.json()) as { data: Schedule }
}
