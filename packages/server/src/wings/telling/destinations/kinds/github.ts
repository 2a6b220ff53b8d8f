import { z } from 'zod'
import type { Answer, Message, TicketKind, Verdict } from '../../tickets/index.ts'
import { searchMark, type TicketStep } from '../../tickets/index.ts'
import { httpsUrl } from './https-url.ts'
import { headerOf, hold, isLimited } from './rate-limits.ts'
import { markdownBody } from './ticket-markdown.ts'
import { answerJson, titleOf } from './ticket-text.ts'

const titleMaxLength = 256
const bodyMaxLength = 65_536
const label = 'svc'
/** An attempt of another node may still be under way. */
const searchLagMs = 60_000
/** At most 80 new contents a minute, see the rate limits of its REST API. */
const paceMs = 1_000
const listed = 30
/** A body of a ticket that somebody else wrote can have 64 KB. */
const listMaxBytes = 2_000_000
/** The clocks of two machines can differ by this much. */
const clockSkewMs = 600_000

const name = z
  .string()
  .regex(/^[A-Za-z0-9._-]{1,100}$/, 'Must be the name as in the address of the repository.')
  .refine((text) => !/^\.+$/.test(text), 'Must be the name as in the address of the repository.')

const config = z.strictObject({
  apiUrl: httpsUrl(500, { meets: ({ href }) => !/[?#]/.test(href), message: 'Must be an address without a query.' })
    .default('https://api.github.com')
    .meta({ description: 'The address of the API. For GitHub Enterprise Server: `https://<host>/api/v3`.' }),
  owner: name,
  repo: name,
  token: z
    .string()
    .regex(/^[!-~]{1,500}$/, 'Must not contain spaces.')
    .meta({ description: 'A token that can read and write issues of the repository.' }),
  labels: z.string().min(1).max(50).array().max(10).default([]).meta({
    description: 'Labels in addition to `svc`. GitHub ignores labels if the token cannot push.',
  }),
})

type Config = z.infer<typeof config>

/** Issues at GitHub. */
export const github: TicketKind<Config> = {
  config,
  secrets: ['token'],
  urls: ['apiUrl'],
  paceMs,
  folds: false,
  mannerOf: () => ({ isRepeatable: false, searchLagMs, closes: true }),
  opens: () => true,
  requestOf({ config, message, step }) {
    const { method, path, body } = operationOf(config, message, step)
    return {
      via: 'https',
      method,
      url: `${config.apiUrl.replace(/\/+$/, '')}/repos/${config.owner}/${config.repo}/issues${path}`,
      headers: {
        accept: 'application/vnd.github+json',
        authorization: `Bearer ${config.token}`,
        // GitHub refuses requests without it.
        'user-agent': 'Svc',
        'x-github-api-version': '2022-11-28',
        ...(body && { 'content-type': 'application/json' }),
      },
      body: body ? JSON.stringify(body) : null,
      ...(step.do === 'FIND' && { answerMaxBytes: listMaxBytes }),
    }
  },
  judge,
}

/** The parts of `operations` in GitHub's description of its API. */
export interface NewIssue {
  title: string
  body: string
  labels: string[]
}

function operationOf(config: Config, message: Message, step: TicketStep) {
  switch (step.do) {
    case 'FIND':
      return { method: 'GET', path: `?${newest(step.since)}`, body: null } as const
    case 'CREATE':
      return { method: 'POST', path: '', body: newIssue(config, message, step.mark) } as const
    case 'COMMENT':
      return {
        method: 'POST',
        path: `/${step.ticket.id}/comments`,
        body: { body: markdownBody(message, bodyMaxLength) },
      } as const
    case 'CLOSE':
      return {
        method: 'PATCH',
        path: `/${step.ticket?.id}`,
        body: { state: 'closed', state_reason: 'completed' },
      } as const
  }
}

/**
 * All issues and not those with our label: without the right to push, labels cannot be set, and the issue has none. The
 * search of GitHub would be simpler, but it finds a new issue only after a while.
 */
const newest = (since: Date) =>
  new URLSearchParams({
    state: 'all',
    sort: 'created',
    direction: 'desc',
    per_page: String(listed),
    since: new Date(since.getTime() - clockSkewMs).toISOString(),
  })

const newIssue = ({ labels }: Config, message: Message, mark: string): NewIssue => ({
  title: titleOf(message, titleMaxLength),
  body: markdownBody(message, bodyMaxLength, `\n${comment(mark)}\n`),
  labels: [...new Set([label, ...labels])],
})

/** The mark is invisible in the issue. */
const comment = (mark: string): string => `<!-- ${searchMark(mark)} -->`

const good = { FIND: 200, CREATE: 201, COMMENT: 201, CLOSE: 200 } as const
const permanent = [400, 401, 403, 404, 410, 422]

function judge(answer: Answer, now: Date, step: TicketStep): Verdict {
  const { status } = answer
  if (isHeld(answer)) return hold(answer, now)
  if (status === good[step.do]) return delivered(answer, step)
  if ((status === 404 || status === 410) && (step.do === 'COMMENT' || step.do === 'CLOSE'))
    return { verdict: 'DELIVERED', ticket: 'MISSING' }
  return { verdict: status !== null && permanent.includes(status) ? 'PERMANENT' : 'RETRY' }
}

/** GitHub says 403 for its limits and for missing rights. */
function isHeld(answer: Answer): boolean {
  if (answer.status === 429) return true
  if (answer.status !== 403) return false
  return isLimited(answer) || headerOf(answer, 'retry-after') !== null || /secondary rate limit/i.test(answer.body)
}

const issueShape = z.object({ number: z.int().positive(), html_url: z.url(), body: z.string().nullish() })

function delivered(answer: Answer, step: TicketStep): Verdict {
  if (step.do === 'COMMENT' || step.do === 'CLOSE') return { verdict: 'DELIVERED' }
  const issues = issueShape.array().safeParse([answerJson(answer)].flat())
  // Without knowing the answer, a second issue could be made.
  if (!issues.success) return { verdict: 'RETRY', error: 'The answer from GitHub cannot be read.' }
  const made =
    step.do === 'CREATE' ? issues.data[0] : issues.data.find(({ body }) => body?.includes(comment(step.mark)))
  return made
    ? { verdict: 'DELIVERED', external: { id: String(made.number), url: made.html_url } }
    : { verdict: 'DELIVERED', ticket: 'MISSING' }
}
