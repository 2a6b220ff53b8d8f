import { z } from 'zod'

/** A request as a vendor gets it. */
export interface VendorRequest {
  method: string
  url: URL
  headers: Readonly<Record<string, string | undefined>>
  body: string
}

export interface VendorAnswer {
  status: number
  headers: Record<string, string>
  body: string
}

/** A ticket that a vendor keeps. */
export interface VendorTicket {
  title: string
  text: string
  labels: string[]
  comments: string[]
  isOpen: boolean
}

/**
 * A vendor of tickets or alarms in memory. It refuses what its documentation does not have.
 *
 * @see the address beside each schema
 */
export interface Vendor {
  tickets: VendorTicket[]
  answer(request: VendorRequest): VendorAnswer
}

export type TicketKindName = 'PAGERDUTY' | 'GITHUB' | 'JIRA' | 'LINEAR'

/** A config that each of the vendors accepts. */
export const vendorConfigs = {
  PAGERDUTY: { region: 'EU', routingKey: 'R0123456789abcdefghijklmnopqrstu' },
  GITHUB: {
    apiUrl: 'https://api.github.com',
    owner: 'acme',
    repo: 'web-shop',
    token: 'github_pat_11SECRET',
    labels: ['flags'],
  },
  JIRA: {
    site: 'https://acme.atlassian.net',
    email: 'ops@acme.example',
    token: 'ATATT3xSECRET',
    projectKey: 'OPS',
    issueType: 'Task',
    labels: ['flags'],
    doneTransitionId: '31',
  },
  LINEAR: {
    apiKey: 'lin_api_SECRET',
    teamId: '9cfb482a-81e3-4154-b5b9-2c805e70a02d',
    labelIds: ['5e9c1f4a-0d8e-4b2b-9f0a-3a3c1c8b7d11'],
    doneStateId: '1f0e6a9e-4c7b-4e5f-8d33-0c6f2d0b9a52',
  },
} as const

/** The addresses of the vendors in the world. */
export const vendorOrigins: Record<TicketKindName, string> = {
  PAGERDUTY: 'https://events.eu.pagerduty.com',
  GITHUB: 'https://api.github.com',
  JIRA: 'https://acme.atlassian.net',
  LINEAR: 'https://api.linear.app',
}

export interface VendorOptions {
  now?: () => Date
  /** How long the search takes to find a new ticket. */
  searchLagMs?: number
  /** GitHub drops the labels of callers who cannot push. */
  canPush?: boolean
}

/** Makes a vendor that has no tickets yet. */
export const vendors: { [Name in TicketKindName]: (options?: VendorOptions) => Vendor } = {
  PAGERDUTY: pagerduty,
  GITHUB: github,
  JIRA: jira,
  LINEAR: linear,
}

const json = (status: number, body: unknown, headers: Record<string, string> = {}): VendorAnswer => ({
  status,
  headers: { 'content-type': 'application/json', ...headers },
  body: body === null ? '' : JSON.stringify(body),
})

const wellFormed = z.string().refine((text) => text.isWellFormed() && !/\p{Cc}/u.test(text), 'control characters')
const oneLine = (max: number) => wellFormed.min(1).max(max)
/** Line breaks are the only control characters of a text. */
const text = (max: number) =>
  z
    .string()
    .max(max)
    .refine((all) => all.isWellFormed() && !/[^\P{Cc}\n]/u.test(all), 'control characters')

// https://github.com/PagerDuty/api-schema/blob/main/reference/events-v2/openapiv3.json
// https://github.com/PagerDuty/developer-docs/blob/main/docs/events-API-v2/02-Trigger-Events.md
const pagerdutyKeys = { routing_key: z.string().length(32), dedup_key: z.string().min(1).max(255) }
const pagerdutyEvent = z.discriminatedUnion('event_action', [
  z.strictObject({
    ...pagerdutyKeys,
    event_action: z.literal('trigger'),
    payload: z.strictObject({
      summary: oneLine(1_024),
      severity: z.enum(['critical', 'error', 'warning', 'info']),
      source: oneLine(1_024),
      timestamp: z.iso.datetime(),
      component: oneLine(1_024),
      group: oneLine(1_024),
      class: oneLine(1_024),
      custom_details: z.record(z.string(), wellFormed),
    }),
    client: oneLine(255),
    client_url: z.url(),
    links: z.strictObject({ href: z.url(), text: oneLine(255) }).array(),
  }),
  z.strictObject({ ...pagerdutyKeys, event_action: z.literal('resolve') }),
])
const pagerdutyMaxBytes = 512 * 1024

function pagerduty(): Vendor {
  const tickets: (VendorTicket & { key: string })[] = []
  return {
    tickets,
    answer({ method, url, headers, body }) {
      const refuse = (error: string) =>
        json(400, { status: 'invalid event', message: 'Event object is invalid', errors: [error] })
      if (url.host !== 'events.eu.pagerduty.com' || url.pathname !== '/v2/enqueue') return json(404, null)
      if (method !== 'POST' || headers['content-type'] !== 'application/json') return refuse('JSON parse error')
      if (Buffer.byteLength(body) > pagerdutyMaxBytes) return json(413, null)
      const event = pagerdutyEvent.safeParse(JSON.parse(body))
      if (!event.success) return refuse(event.error.message)
      const { routing_key, event_action, dedup_key: key } = event.data
      if (routing_key !== vendorConfigs.PAGERDUTY.routingKey) return refuse('Invalid routing key')
      const open = tickets.find((each) => each.key === key && each.isOpen)
      if (event_action === 'resolve') {
        if (open) open.isOpen = false
      } else if (open) open.comments.push(event.data.payload.summary)
      else {
        const { summary, severity } = event.data.payload
        // zod leaves out a field that is called `__proto__`.
        const told = Object.values(JSON.parse(body).payload.custom_details).join('\n')
        tickets.push({ key, title: summary, text: told, labels: [severity], comments: [], isOpen: true })
      }
      return json(202, { status: 'success', message: 'Event processed', dedup_key: key })
    },
  }
}

// https://docs.github.com/en/rest/issues/issues?apiVersion=2022-11-28
// The maximum lengths are in its refusals: "title is too long (maximum is 256 characters)".
const githubIssue = z.strictObject({ title: oneLine(256), body: text(65_536), labels: oneLine(50).array() })
// https://docs.github.com/en/rest/issues/comments?apiVersion=2022-11-28
const githubComment = z.strictObject({ body: text(65_536).min(1) })
const githubPatch = z.strictObject({
  state: z.enum(['open', 'closed']),
  state_reason: z.enum(['completed', 'not_planned', 'duplicate', 'reopened']),
})
const githubQuery = z.strictObject({
  state: z.enum(['open', 'closed', 'all']),
  sort: z.enum(['created', 'updated', 'comments']),
  direction: z.enum(['asc', 'desc']),
  per_page: z.string().regex(/^(?:[1-9]\d?|100)$/),
  since: z.iso.datetime(),
})

function github({ now = () => new Date(), searchLagMs = 0, canPush = true }: VendorOptions = {}): Vendor {
  const { owner, repo, token } = vendorConfigs.GITHUB
  const tickets: (VendorTicket & { createdAt: Date })[] = []
  const issueOf = (ticket: VendorTicket) => {
    const number = tickets.indexOf(ticket as (typeof tickets)[number]) + 1
    return {
      number,
      html_url: `https://github.com/${owner}/${repo}/issues/${number}`,
      title: ticket.title,
      body: ticket.text,
      state: ticket.isOpen ? 'open' : 'closed',
      labels: ticket.labels.map((name) => ({ name })),
    }
  }
  return {
    tickets,
    answer({ method, url, headers, body }) {
      const refuse = (error: z.ZodError) => json(422, { message: 'Validation Failed', errors: error.issues })
      if (!headers['user-agent']) return json(403, { message: 'Request forbidden by administrative rules.' })
      if (headers.authorization !== `Bearer ${token}`) return json(401, { message: 'Bad credentials' })
      if (headers['x-github-api-version'] !== '2022-11-28') return json(400, { message: 'no such version' })
      const [, number, under] =
        new RegExp(`^/repos/${owner}/${repo}/issues(?:/(\\d+)(/comments)?)?$`).exec(url.pathname) ?? []
      if (url.host !== 'api.github.com' || !url.pathname.startsWith(`/repos/${owner}/${repo}/issues`))
        return json(404, { message: 'Not Found' })
      if (!number) {
        if (method === 'GET') {
          const query = githubQuery.safeParse(Object.fromEntries(url.searchParams))
          if (!query.success) return refuse(query.error)
          const since = new Date(query.data.since)
          const found = tickets.filter(
            ({ createdAt }) => createdAt >= since && now().getTime() - createdAt.getTime() >= searchLagMs,
          )
          return json(200, found.reverse().slice(0, Number(query.data.per_page)).map(issueOf))
        }
        const issue = githubIssue.safeParse(JSON.parse(body))
        if (!issue.success) return refuse(issue.error)
        const { title, labels } = issue.data
        tickets.push({
          title,
          text: issue.data.body,
          labels: canPush ? labels : [],
          comments: [],
          isOpen: true,
          createdAt: now(),
        })
        return json(201, issueOf(tickets.at(-1)!))
      }
      const ticket = tickets[Number(number) - 1]
      if (!ticket) return json(404, { message: 'Not Found' })
      if (under) {
        const comment = githubComment.safeParse(JSON.parse(body))
        if (!comment.success) return refuse(comment.error)
        ticket.comments.push(comment.data.body)
        return json(201, { id: 1 })
      }
      const patch = githubPatch.safeParse(method === 'PATCH' ? JSON.parse(body) : undefined)
      if (!patch.success) return refuse(patch.error)
      ticket.isOpen = patch.data.state === 'open'
      return json(200, issueOf(ticket))
    },
  }
}

// https://developer.atlassian.com/cloud/jira/platform/apis/document/structure/
const adfText = z.strictObject({
  type: z.literal('text'),
  text: wellFormed.min(1),
  marks: z
    .union([
      z.strictObject({ type: z.literal('strong') }),
      z.strictObject({ type: z.literal('link'), attrs: z.strictObject({ href: z.url() }) }),
    ])
    .array()
    .optional(),
})
const adfParagraph = z.strictObject({ type: z.literal('paragraph'), content: adfText.array() })
const adfDocument = z
  .strictObject({
    type: z.literal('doc'),
    version: z.literal(1),
    content: z
      .union([
        adfParagraph,
        z.strictObject({
          type: z.literal('bulletList'),
          content: z
            .strictObject({ type: z.literal('listItem'), content: adfParagraph.array().min(1) })
            .array()
            .min(1),
        }),
      ])
      .array(),
  })
  // https://jira.atlassian.com/browse/JRACLOUD-64351
  .refine((document) => JSON.stringify(document).length <= 32_767, 'CONTENT_LIMIT_EXCEEDED')
// https://developer.atlassian.com/cloud/jira/platform/rest/v3/api-group-issues/#api-rest-api-3-issue-post
const jiraIssue = z.strictObject({
  fields: z.strictObject({
    project: z.strictObject({ key: z.literal('OPS') }),
    issuetype: z.strictObject({ name: z.literal('Task') }),
    summary: oneLine(255),
    description: adfDocument,
    labels: z.string().regex(/^\S+$/).max(255).array(),
  }),
})
const jiraComment = z.strictObject({ body: adfDocument })
const jiraTransition = z.strictObject({ transition: z.strictObject({ id: z.string() }) })
// https://developer.atlassian.com/cloud/jira/platform/rest/v3/api-group-issue-search/#api-rest-api-3-search-jql-post
const jiraSearch = z.strictObject({
  jql: z.string().regex(/^project = "OPS" AND labels = "svc-[0-9a-f]{12}"$/),
  fields: z.string().array(),
  maxResults: z.int().min(1).max(5_000),
})

function jira({ now = () => new Date(), searchLagMs = 0 }: VendorOptions = {}): Vendor {
  const { email, token, doneTransitionId } = vendorConfigs.JIRA
  const tickets: (VendorTicket & { createdAt: Date })[] = []
  const keyOf = (index: number) => ({ id: String(10_000 + index), key: `OPS-${index + 1}` })
  return {
    tickets,
    answer({ method, url, headers, body }) {
      const refuse = (error: z.ZodError) => json(400, { errorMessages: [error.message], errors: {} })
      const expected = `Basic ${Buffer.from(`${email}:${token}`).toString('base64')}`
      if (headers.authorization !== expected) return json(401, null)
      if (url.host !== 'acme.atlassian.net' || method !== 'POST') return json(404, null)
      if (headers['content-type'] !== 'application/json') return json(415, null)
      const sent: unknown = JSON.parse(body)
      if (url.pathname === '/rest/api/3/issue') {
        const issue = jiraIssue.safeParse(sent)
        if (!issue.success) return refuse(issue.error)
        const { summary, description, labels } = issue.data.fields
        tickets.push({
          title: summary,
          text: JSON.stringify(description),
          labels,
          comments: [],
          isOpen: true,
          createdAt: now(),
        })
        const made = keyOf(tickets.length - 1)
        return json(201, { ...made, self: `https://acme.atlassian.net/rest/api/3/issue/${made.id}` })
      }
      if (url.pathname === '/rest/api/3/search/jql') {
        const search = jiraSearch.safeParse(sent)
        if (!search.success) return refuse(search.error)
        const label = /"(svc-.*)"/.exec(search.data.jql)![1]!
        const issues = tickets.flatMap(({ labels, createdAt }, index) => {
          const isKnown = now().getTime() - createdAt.getTime() >= searchLagMs
          return isKnown && labels.includes(label) ? [keyOf(index)] : []
        })
        return json(200, { issues: issues.slice(0, search.data.maxResults), isLast: true })
      }
      const [, key, under] = /^\/rest\/api\/3\/issue\/(OPS-\d+)\/(comment|transitions)$/.exec(url.pathname) ?? []
      const ticket = tickets.find((_, index) => keyOf(index).key === key)
      if (!ticket)
        return json(404, { errorMessages: ['Issue does not exist or you do not have permission to see it.'] })
      if (under === 'comment') {
        const comment = jiraComment.safeParse(sent)
        if (!comment.success) return refuse(comment.error)
        ticket.comments.push(JSON.stringify(comment.data.body))
        return json(201, { id: '1' })
      }
      const transition = jiraTransition.safeParse(sent)
      if (!transition.success) return refuse(transition.error)
      // A closed issue has other transitions.
      if (transition.data.transition.id !== doneTransitionId || !ticket.isOpen)
        return json(400, { errorMessages: ['It is not valid for this issue.'], errors: {} })
      ticket.isOpen = false
      return json(204, null)
    },
  }
}

// https://linear.app/developers/graphql, https://github.com/linear/linear/blob/master/packages/sdk/src/schema.graphql
const uuidV4 = z.uuid({ version: 'v4' })
const linearCreate = z.strictObject({
  id: uuidV4,
  teamId: z.uuid(),
  title: oneLine(255),
  description: text(60_000),
  labelIds: z.uuid().array(),
})
const linearComment = z.strictObject({ id: uuidV4, issueId: z.uuid(), body: text(60_000).min(1) })
const linearUpdate = z.strictObject({ stateId: z.uuid() })
const linearRequest = z.strictObject({ query: z.string(), variables: z.record(z.string(), z.unknown()) })

function linear(): Vendor {
  const { apiKey, teamId, doneStateId } = vendorConfigs.LINEAR
  const tickets: (VendorTicket & { id: string })[] = []
  const commentIds = new Set<string>()
  const urlOf = (ticket: VendorTicket) =>
    `https://linear.app/acme/issue/OPS-${tickets.indexOf(ticket as (typeof tickets)[number]) + 1}`
  const refuse = (message: string, extensions: Record<string, unknown>) =>
    json(200, { errors: [{ message, extensions }], data: null })
  const isInvalid = (what: string) =>
    refuse(`Argument Validation Error: ${what}`, { type: 'invalid input', code: 'INVALID_INPUT', statusCode: 400 })
  const conflict = (noun: string, id: string) =>
    refuse(`conflict on insert of ${noun}`, {
      code: 'INPUT_ERROR',
      statusCode: 400,
      userError: true,
      userPresentableMessage: `Entity ${noun} with id ${id} already exists.`,
    })
  const missing = () =>
    refuse('Entity not found: Issue', { type: 'invalid input', code: 'INPUT_ERROR', statusCode: 400, userError: true })
  return {
    tickets,
    answer({ method, url, headers, body }) {
      if (url.href !== 'https://api.linear.app/graphql' || method !== 'POST') return json(404, null)
      if (headers.authorization !== apiKey)
        return json(401, {
          errors: [{ message: 'Authentication required', extensions: { code: 'AUTHENTICATION_ERROR' } }],
        })
      const { query, variables } = linearRequest.parse(JSON.parse(body))
      if (query.includes('{ issue(id: $id) { id url } }')) {
        const ticket = tickets.find(({ id }) => id === variables.id)
        return ticket ? json(200, { data: { issue: { id: ticket.id, url: urlOf(ticket) } } }) : missing()
      }
      if (query.includes('issueCreate(input: $input) { success issue { id url } }')) {
        const input = linearCreate.safeParse(variables.input)
        if (!input.success) return isInvalid(input.error.message)
        const { id, title, description, labelIds } = input.data
        if (input.data.teamId !== teamId) return isInvalid('no such team')
        if (tickets.some((each) => each.id === id)) return conflict('Issue', id)
        tickets.push({ id, title, text: description, labels: labelIds, comments: [], isOpen: true })
        return json(200, { data: { issueCreate: { success: true, issue: { id, url: urlOf(tickets.at(-1)!) } } } })
      }
      if (query.includes('commentCreate(input: $input) { success }')) {
        const input = linearComment.safeParse(variables.input)
        if (!input.success) return isInvalid(input.error.message)
        const { id, issueId } = input.data
        if (commentIds.has(id)) return conflict('Comment', id)
        const ticket = tickets.find((each) => each.id === issueId)
        if (!ticket) return missing()
        commentIds.add(id)
        ticket.comments.push(input.data.body)
        return json(200, { data: { commentCreate: { success: true } } })
      }
      const input = linearUpdate.safeParse(variables.input)
      if (!query.includes('issueUpdate(id: $id, input: $input) { success }') || !input.success)
        return isInvalid('no such operation')
      const ticket = tickets.find(({ id }) => id === variables.id)
      if (!ticket) return missing()
      ticket.isOpen = input.data.stateId !== doneStateId
      return json(200, { data: { issueUpdate: { success: true } } })
    },
  }
}
