import type { Data } from '@svc/client'
import { idCalled } from '../called.ts'
import { command } from '../command.ts'
import { Problem, secretIn } from '../problem.ts'
import { allOf } from '../service/pages.ts'
import type { Session } from '../session.ts'
import { shownTime } from '../terminal/times.ts'
import { wholeNumber } from '../values/option-values.ts'

const path = '/api/v1/projects/{projectId}/experiments/{experimentId}/previews'
const usualHours = 72
const keys = { KEY: 'experiment' } as const

type Preview = Data<typeof path, 'get'>[number]

const placeOf = async (session: Session, key: string) => ({
  projectId: session.project,
  experimentId: await idCalled(session, 'experiment', key),
})

const create = command({
  name: 'experiment preview create',
  summary: 'Create a link that shows a variation on the real site, and print it.',
  about:
    'Who has the link sees the draft as it is then, and nobody else does. Nothing of a preview is counted. It is shown only now.',
  args: ['KEY', 'VARIATION'],
  keys,
  options: {
    page: { value: 'PAGE', about: 'The key of the page to open. Default: the first page with an address.' },
    hours: { value: 'HOURS', about: 'How long it works, 1 to 720. Default: 72' },
    live: { about: 'Show what was published instead of the draft.' },
  },
  examples: ['svc experiment preview create 12 price --page pricing'],
  async run({ args, options, session }) {
    const { connection, output } = session
    const place = await placeOf(session, args.KEY)
    const pageKey = options.page ?? (await firstPage(session, place))
    const { data } = await connection.api.POST(path, {
      params: { path: place },
      body: {
        ...{ variationKey: args.VARIATION, pageKey },
        version: options.live ? 'LIVE' : 'DRAFT',
        expiresInHours: wholeNumber(options.hours, '--hours') ?? usualHours,
      },
    })
    const preview = data!.data
    const url = secretIn(
      { secret: preview.url },
      `The preview ${preview.id} is created, but its answer was lost`,
      `revoke it with svc experiment preview revoke ${args.KEY} ${preview.id}, and create another one`,
    )
    output.data(preview, () => output.line(url))
    if (!output.isJson) output.say(`The preview works until ${shownTime(preview.expiresAt)}. It is not shown again.`)
  },
})

const list = command({
  name: 'experiment preview list',
  summary: 'List the previews of a web experiment.',
  about: 'The links themselves are shown only when they are created.',
  args: ['KEY'],
  keys,
  async run({ args, session }) {
    const { connection, output } = session
    const place = await placeOf(session, args.KEY)
    const previews: Preview[] = await allOf((query) => connection.api.GET(path, { params: { path: place, query } }))
    output.data(previews, () =>
      output.rows(
        [
          { head: 'ID', cell: ({ id }) => id },
          { head: 'STATUS', cell: ({ status }) => status },
          { head: 'VARIATION', cell: ({ variationKey }) => variationKey },
          { head: 'VERSION', cell: ({ version }) => version },
          { head: 'PAGE', cell: ({ pageKey }) => pageKey },
          { head: 'BY', cell: ({ createdBy }) => createdBy },
          { head: 'USED', cell: ({ lastUsedAt }) => shownTime(lastUsedAt) },
          { head: 'UNTIL', cell: ({ expiresAt }) => shownTime(expiresAt) },
        ],
        previews,
        'The experiment has no preview.',
      ),
    )
  },
})

const revoke = command({
  name: 'experiment preview revoke',
  summary: 'End a preview.',
  about: 'Tabs that show it show what visitors get from their next page on.',
  args: ['KEY', 'ID'],
  keys,
  async run({ args, session }) {
    const { connection, output } = session
    const place = await placeOf(session, args.KEY)
    const { data } = await connection.api.DELETE(`${path}/{previewId}`, {
      params: { path: { ...place, previewId: args.ID } },
    })
    output.wrote(data!.data, `The preview ${args.ID} is revoked.`)
  },
})

/** Links that show a variation on the real site. */
export const previewCommands = [create, list, revoke]

async function firstPage(
  { connection }: Session,
  params: { projectId: string; experimentId: string },
): Promise<string> {
  const { data } = await connection.api.GET('/api/v1/projects/{projectId}/experiments/{experimentId}', {
    params: { path: params },
  })
  const page = data!.data.pages?.find(({ url }) => url !== null)
  if (!page) throw new Problem('conflict', 'No page of the experiment has an address. Set url of a page.')
  return page.key
}
