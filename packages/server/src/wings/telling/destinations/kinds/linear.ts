import { z } from 'zod'
import type { Answer, Message, TicketKind, Verdict } from '../../tickets/index.ts'
import { madeId, type TicketStep } from '../../tickets/index.ts'
import { hold } from './rate-limits.ts'
import { markdownBody } from './ticket-markdown.ts'
import { answerJson, cut, plain, titleOf } from './ticket-text.ts'

const titleMaxLength = 255
/** Ours: Linear documents none. */
const descriptionMaxLength = 60_000
const paceMs = 1_000

const id = z.uuid()

const config = z.strictObject({
  apiKey: z
    .string()
    .regex(/^[!-~]{1,500}$/, 'Must not contain spaces.')
    .meta({ description: 'A personal API key, from *Settings → Security & access*.' }),
  teamId: id.meta({ description: 'The id of the team that gets the issues.' }),
  labelIds: id.array().max(10).default([]),
  doneStateId: id.nullable().default(null).meta({
    description: 'The workflow state of a resolved issue. Null: the issue only gets a comment.',
  }),
})

type Config = z.infer<typeof config>

/** Issues in Linear, by its GraphQL API. */
export const linear: TicketKind<Config> = {
  config,
  secrets: ['apiKey'],
  urls: [],
  paceMs,
  folds: false,
  // Its ids are ours, so that a repeat is refused at once.
  mannerOf: ({ doneStateId }) => ({ isRepeatable: false, searchLagMs: 0, closes: doneStateId !== null }),
  opens: () => true,
  requestOf({ config, message, step }) {
    return {
      via: 'https',
      method: 'POST',
      url: 'https://api.linear.app/graphql',
      // A personal key comes without `Bearer`.
      headers: { accept: 'application/json', authorization: config.apiKey, 'content-type': 'application/json' },
      body: JSON.stringify(operationOf(config, message, step)),
    }
  },
  judge,
}

const operations = {
  FIND: 'query Find($id: String!) { issue(id: $id) { id url } }',
  CREATE: 'mutation Create($input: IssueCreateInput!) { issueCreate(input: $input) { success issue { id url } } }',
  COMMENT: 'mutation Comment($input: CommentCreateInput!) { commentCreate(input: $input) { success } }',
  CLOSE: 'mutation Close($id: String!, $input: IssueUpdateInput!) { issueUpdate(id: $id, input: $input) { success } }',
} as const

function operationOf(config: Config, message: Message, step: TicketStep) {
  return { query: operations[step.do], variables: variablesOf(config, message, step) }
}

function variablesOf({ teamId, labelIds, doneStateId }: Config, message: Message, step: TicketStep) {
  switch (step.do) {
    case 'FIND':
      return { id: madeId('issue', step.mark) }
    case 'CREATE':
      return {
        input: {
          id: madeId('issue', step.mark),
          teamId,
          title: titleOf(message, titleMaxLength),
          description: markdownBody(message, descriptionMaxLength),
          labelIds,
        },
      }
    case 'COMMENT':
      return {
        input: {
          // One for each delivery and issue: a delivery can end several.
          id: madeId('comment', `${step.mark}/${step.ticket.id}`),
          issueId: step.ticket.id,
          body: markdownBody(message, descriptionMaxLength),
        },
      }
    case 'CLOSE':
      return { id: step.ticket?.id, input: { stateId: doneStateId } }
  }
}

const errorShape = z.object({
  message: z.string(),
  extensions: z
    .object({ code: z.string().optional(), type: z.string().optional(), statusCode: z.number().optional() })
    .optional(),
})
const issueShape = z.object({ id: z.string(), url: z.url() })
const done = z.object({ success: z.literal(true) })
const answerShape = z.object({
  errors: errorShape.array().optional(),
  data: z
    .object({
      issue: issueShape.optional(),
      issueCreate: done.extend({ issue: issueShape }).optional(),
      commentCreate: done.optional(),
      issueUpdate: done.optional(),
    })
    .nullish(),
})

/** Linear answers 200 or 400 when it refuses, with the reason in `errors`. */
function judge(answer: Answer, now: Date, step: TicketStep): Verdict {
  const { status } = answer
  if (status === 429) return hold(answer, now)
  if (status === null || status >= 500) return { verdict: 'RETRY' }
  const read = answerShape.safeParse(answerJson(answer))
  if (!read.success) return { verdict: permanent.includes(status) ? 'PERMANENT' : 'RETRY' }
  const { errors = [], data } = read.data
  const [error] = errors
  if (error) return refusal(error, answer, step, now)
  if (status !== 200 || !data) return { verdict: permanent.includes(status) ? 'PERMANENT' : 'RETRY' }
  const made = data.issue ?? data.issueCreate?.issue
  if (made) return { verdict: 'DELIVERED', external: { id: made.id, url: made.url } }
  return data.commentCreate || data.issueUpdate ? { verdict: 'DELIVERED' } : { verdict: 'RETRY' }
}

const permanent = [400, 401, 403, 404, 410, 413, 422]
const passing = ['internal_error', 'internal_server_error', 'lock_timeout', 'network_error']

function refusal(error: z.infer<typeof errorShape>, answer: Answer, step: TicketStep, now: Date): Verdict {
  const { code = '', type = '', statusCode = 0 } = error.extensions ?? {}
  const kinds = [code, type].map((each) => each.toLowerCase().replaceAll(' ', '_'))
  if (kinds.includes('ratelimited')) return hold(answer, now)
  if (statusCode >= 500 || kinds.some((each) => passing.includes(each))) return { verdict: 'RETRY' }
  if (/^conflict on insert of (?:issue|comment)/i.test(error.message))
    return { verdict: 'DELIVERED', ...(step.do === 'CREATE' && { ticket: 'REPEATED' as const }) }
  if (/^entity not found: issue\b/i.test(error.message) && step.do !== 'CREATE')
    return { verdict: 'DELIVERED', ticket: 'MISSING' }
  return { verdict: 'PERMANENT', error: `Linear answered: ${cut(plain(error.message), 200)}` }
}
