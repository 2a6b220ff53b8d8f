import type { Data } from '@svc/client'
import { counted } from '@svc/core'
import { command, type Group } from '../command.ts'
import { objectCommands } from '../object-commands.ts'
import { readNames } from '../project-names.ts'
import { shownTime } from '../terminal/times.ts'
import { allOfWhere, inWords } from '../values/conditions.ts'
import { contextFrom, contextOptions } from '../values/context.ts'

type Audience = Data<'/api/v1/projects/{projectId}/audiences/{audienceId}', 'get'>

const where = {
  where: {
    value: 'CONDITION',
    many: true,
    about: 'Who is in it: "country in NL,BE", "segment vip". All of them must match.',
  },
} as const

const reach = command({
  name: 'audience reach',
  summary: 'Estimate how many visitors match an audience.',
  about: 'The share of a sample of at most 1,000 visitors that the environment has seen in the last 7 days.',
  args: ['KEY'],
  keys: { KEY: 'audience' },
  examples: ['svc audience reach beta-users --env production'],
  async run({ args, session: { connection, output, project, env } }) {
    const path = { projectId: project, audienceId: args.KEY, envId: env }
    const { data } = await connection.api.GET(
      '/api/v1/projects/{projectId}/audiences/{audienceId}/envs/{envId}/reach',
      { params: { path } },
    )
    const found = data!.data
    const { samplesVisitors, sample, matching, unknownAttributes } = found
    output.data(found, () => {
      if (!samplesVisitors) return output.line('The project samples no visitors. See: svc project set --help')
      if (sample.from === null || sample.to === null) return output.line('No visitor was seen in the last 7 days.')
      output.details([
        ['Matching', `${matching.toLocaleString('en')} of ${counted(sample.visitors, 'visitor')}`],
        ['Seen', `${shownTime(sample.from)} to ${shownTime(sample.to)}`],
        ['Unknown', unknownAttributes.join(', ') || null],
      ])
    })
  },
})

const evaluate = command({
  name: 'audience evaluate',
  summary: 'Show whether a visitor is in an audience, and why not.',
  about: 'The service evaluates the conditions as they are edited.',
  args: ['KEY'],
  keys: { KEY: 'audience' },
  options: contextOptions,
  examples: ['svc audience evaluate beta-users --key u-17 --attr plan=beta'],
  async run({ args, options, session }) {
    const { connection, output, project } = session
    const { data } = await connection.api.POST('/api/v1/projects/{projectId}/audiences/{audienceId}/evaluate', {
      params: { path: { projectId: project, audienceId: args.KEY } },
      body: { context: await contextFrom(session, options) },
    })
    const found = data!.data
    const names = await readNames(connection, project)
    output.data(found, () => {
      output.line(found.matches ? 'The visitor is in the audience.' : 'The visitor is not in the audience.')
      if (found.failed.length === 0) return
      output.line()
      output.rows(
        [
          { head: 'CONDITION', cell: (failed) => inWords(failed.negated ? { not: failed } : failed, names.nameOf) },
          { head: 'VISITOR', cell: (failed) => ('segment' in failed ? null : JSON.stringify(failed.actual)) },
        ],
        found.failed,
        '',
      )
      if (found.moreFailed > 0)
        output.line(`${counted(found.moreFailed, 'more condition is', 'more conditions are')} not met.`)
    })
  },
})

export const audience: Group = {
  name: 'audience',
  summary: 'Conditions that several rules share.',
  commands: [
    ...objectCommands<Audience, typeof where, Record<never, never>>({
      of: 'audience',
      summaries: {
        list: 'List the audiences of a project.',
        get: 'Show an audience.',
        create: 'Create an audience.',
        set: 'Change an audience. New conditions go live with the next publish.',
        delete: 'Delete an audience that no rule uses.',
      },
      isDescribed: true,
      isNamed: true,
      examples: [
        'svc audience create --name "Beta users" --where "plan equals beta"',
        'svc audience create -f audience.json',
      ],
      options: where,
      later: {},
      async fields(options, { connection, project }) {
        if (!options.where) return {}
        return { conditions: (await readNames(connection, project)).withIds(allOfWhere(options.where)) }
      },
      async columns({ connection, project }) {
        const names = await readNames(connection, project)
        return [
          { head: 'KEY', cell: ({ key }) => key },
          { head: 'NAME', cell: ({ name }) => name },
          { head: 'WHO', cell: ({ conditions }) => inWords(conditions, names.nameOf) || 'everyone' },
          { head: 'RULES', cell: ({ usedBy }) => usedBy.length, right: true },
          { head: 'UPDATED', cell: ({ updatedAt }) => shownTime(updatedAt) },
        ]
      },
      async details(found, { connection, project }) {
        const names = await readNames(connection, project)
        return [
          ['Key', found.key],
          ['Name', found.name],
          ['Description', found.description],
          ['Who', inWords(found.conditions, names.nameOf) || 'everyone'],
          ['Rules', found.usedBy.length],
          ['Updated', shownTime(found.updatedAt)],
        ]
      },
    }),
    evaluate,
    reach,
  ],
}
