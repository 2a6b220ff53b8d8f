import { z } from 'zod'
import type { Answer, Message, TicketKind, Verdict } from '../../tickets/index.ts'
import { searchMark, type TicketStep } from '../../tickets/index.ts'
import { httpsUrl } from './https-url.ts'
import { hold } from './rate-limits.ts'
import { answerJson, ticketParts, titleOf } from './ticket-text.ts'

const summaryMaxLength = 255
/** Of the text; we count the whole document, which is longer. */
const documentMaxLength = 32_767
const label = 'svc'
/** Its search finds a new issue after seconds or minutes, as its guide *Search and reconcile* says. */
const searchLagMs = 300_000
const paceMs = 1_000

const config = z.strictObject({
  site: httpsUrl(500, {
    meets: ({ pathname }) => pathname === '/',
    message: 'Must be an address without a path.',
  }).meta({ description: 'The address of the site, such as `https://acme.atlassian.net`.' }),
  email: z.email().max(254).meta({ description: 'The e-mail address of the account that the token belongs to.' }),
  token: z.string().min(1).max(1_000).meta({ description: 'An Atlassian API token.' }),
  projectKey: z
    .string()
    .regex(/^[A-Z][A-Z0-9_]{1,99}$/, 'Must be the key of a project, such as OPS.')
    .meta({ examples: ['OPS'] }),
  issueType: z
    .string()
    .min(1)
    .max(100)
    .default('Task')
    .meta({ description: 'The name of an issue type of the project.' }),
  labels: z
    .string()
    .regex(/^\S{1,255}$/, 'Must not contain spaces.')
    .array()
    .max(10)
    .default([])
    .meta({ description: 'Labels in addition to `svc` and one label for each ticket.' }),
  doneTransitionId: z
    .string()
    .regex(/^\d{1,10}$/, 'Must be the number of a transition.')
    .meta({ examples: ['31'] })
    .nullable()
    .default(null)
    .meta({ description: 'The transition of a resolved ticket. Null: the ticket only gets a comment.' }),
})

type Config = z.infer<typeof config>

/** Issues in Jira Cloud, by version 3 of its REST API. */
export const jira: TicketKind<Config> = {
  config,
  secrets: ['token'],
  urls: ['site'],
  paceMs,
  folds: false,
  mannerOf: ({ doneTransitionId }) => ({ isRepeatable: false, searchLagMs, closes: doneTransitionId !== null }),
  opens: () => true,
  requestOf({ config, message, step }) {
    const { path, body } = operationOf(config, message, step)
    return {
      via: 'https',
      method: 'POST',
      url: new URL(`/rest/api/3/${path}`, config.site).href,
      headers: {
        accept: 'application/json',
        authorization: `Basic ${Buffer.from(`${config.email}:${config.token}`).toString('base64')}`,
        'content-type': 'application/json',
      },
      body: JSON.stringify(body),
    }
  },
  judge,
}

function operationOf({ projectKey, issueType, labels, doneTransitionId }: Config, message: Message, step: TicketStep) {
  switch (step.do) {
    case 'FIND':
      return {
        path: 'search/jql',
        body: {
          jql: `project = "${projectKey}" AND labels = "${searchMark(step.mark)}"`,
          fields: ['summary'],
          maxResults: 1,
        },
      }
    case 'CREATE':
      return {
        path: 'issue',
        body: {
          fields: {
            project: { key: projectKey },
            issuetype: { name: issueType },
            summary: titleOf(message, summaryMaxLength),
            description: documentOf(message),
            labels: [...new Set([label, searchMark(step.mark), ...labels])],
          },
        },
      }
    case 'COMMENT':
      return { path: `issue/${step.ticket.id}/comment`, body: { body: documentOf(message) } }
    case 'CLOSE':
      return { path: `issue/${step.ticket?.id}/transitions`, body: { transition: { id: doneTransitionId } } }
  }
}

interface Text {
  type: 'text'
  text: string
  marks?: ({ type: 'strong' } | { type: 'link'; attrs: { href: string } })[]
}
interface Paragraph {
  type: 'paragraph'
  content: Text[]
}
interface List {
  type: 'bulletList'
  content: { type: 'listItem'; content: Paragraph[] }[]
}
/** A document in Atlassian's format, as far as we use it. */
export interface AtlassianDocument {
  type: 'doc'
  version: 1
  content: (Paragraph | List)[]
}

/** Its texts need no escaping. Facts that do not fit are left out from the end. */
function documentOf(message: Message): AtlassianDocument {
  const { summary, facts, link } = ticketParts(message)
  const linked: Text = { type: 'text', text: link.label, marks: [{ type: 'link', attrs: { href: link.url } }] }
  for (let count = facts.length; ; count -= 1) {
    const items = facts.slice(0, count).map(({ label, value }) => ({
      type: 'listItem' as const,
      content: [
        paragraph({ type: 'text', text: `${label}: `, marks: [{ type: 'strong' }] }, { type: 'text', text: value }),
      ],
    }))
    const document: AtlassianDocument = {
      type: 'doc',
      version: 1,
      content: [
        ...(summary ? [paragraph({ type: 'text', text: summary })] : []),
        ...(items.length > 0 ? [{ type: 'bulletList' as const, content: items }] : []),
        paragraph(linked),
      ],
    }
    if (count === 0 || JSON.stringify(document).length <= documentMaxLength) return document
  }
}

const paragraph = (...content: Text[]): Paragraph => ({ type: 'paragraph', content })

const good = { FIND: 200, CREATE: 201, COMMENT: 201, CLOSE: 204 } as const
// Jira counts the number of an issue up even where it makes none, so none of them is tried again.
const permanent = [400, 401, 403, 404, 410, 413, 422]

function judge(answer: Answer, now: Date, step: TicketStep, config: Config): Verdict {
  const { status } = answer
  if (status === 429) return hold(answer, now)
  if (status === good[step.do]) return delivered(answer, step, config)
  if (status === 404 && (step.do === 'COMMENT' || step.do === 'CLOSE'))
    return { verdict: 'DELIVERED', ticket: 'MISSING' }
  // If a person closed the ticket by hand, the transition is not available any more.
  if (step.do === 'CLOSE' && (status === 400 || status === 409))
    return { verdict: 'DELIVERED', error: 'Jira did not accept the transition; the ticket may be closed already.' }
  return { verdict: status !== null && permanent.includes(status) ? 'PERMANENT' : 'RETRY' }
}

const issueShape = z.object({ key: z.string().regex(/^[A-Z][A-Z0-9_]*-\d+$/) })
const foundShape = z.object({ issues: issueShape.array() })

function delivered(answer: Answer, step: TicketStep, { site }: Config): Verdict {
  if (step.do === 'COMMENT' || step.do === 'CLOSE') return { verdict: 'DELIVERED' }
  const json = answerJson(answer)
  const issues = foundShape.safeParse(step.do === 'FIND' ? json : { issues: [json] })
  // Without knowing the answer, a second issue could be made.
  if (!issues.success) return { verdict: 'RETRY', error: 'The answer from Jira cannot be read.' }
  const [made] = issues.data.issues
  return made
    ? { verdict: 'DELIVERED', external: { id: made.key, url: new URL(`/browse/${made.key}`, site).href } }
    : { verdict: 'DELIVERED', ticket: 'MISSING' }
}
