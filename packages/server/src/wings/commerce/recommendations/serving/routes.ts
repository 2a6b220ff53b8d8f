import type { FastifyInstance } from 'fastify'
import { invalid } from '../../../../catalogue/refusals.ts'
import { sdkOperation } from '../../../../http/openapi/operation.ts'
import type { Route } from '../../../../http/route.ts'
import { acceptFromSdks, describedFailures, type SdkAddress } from '../../../../http/sdk-post.ts'
import type { OneOf } from '../../../../nouns/index.ts'
import type { Db } from '../../../../platform/db/index.ts'
import type { OpenRoom } from '../../../../platform/held.ts'
import { issueTexts } from '../../../../platform/issue-text.ts'
import { inTurnByKey, orTooBusy } from '../../../../turns.ts'
import { findProduction } from '../../../model/environments/index.ts'
import type { DataFileStore } from '../../../serving/datafile/index.ts'
import type { Placement } from '../placements/index.ts'
import { publicLimit, recommend, type Serving } from './actions.ts'
import { told } from './answer.ts'
import { projectOf } from './queries.ts'
import { answerSchema, previewBody, previewSchema, requestBody, requestError } from './schema.ts'

const maxBytes = 32 * 1024
const retryAfterSeconds = 5
/** A preview tells of every candidate, so its filter reads up to 10,000 items. Everybody in a project can ask for that. */
const filteredPreviews = { atOnce: 1, waitingAtMost: 10, patienceMs: 10_000 }

interface Context extends Serving {
  db: Db
  /** Knows the environment of an SDK key. */
  dataFiles: Pick<DataFileStore, 'find' | 'findHeld'>
  openRoom: OpenRoom
  isUnavailable: (error: unknown) => boolean
  requestsPerMinute: number
}

/** Answers pages and servers with an SDK key. */
export function serveRecommendations(app: FastifyInstance, context: Context): void {
  const { db, dataFiles, shelves } = context
  // Environments never change their project, and ids are never reused.
  const projects = new Map<string, string>()

  async function projectIn(envId: string): Promise<string | undefined> {
    const known = projects.get(envId) ?? (await projectOf(db, envId))
    if (known !== undefined) projects.set(envId, known)
    return known
  }

  const handle: SdkAddress['handle'] = async (request, reply) => {
    const read = requestBody.safeParse(request.body)
    if (!read.success)
      return reply.code(400).send({ error: issueTexts(read.error.issues, request.body, 'The body')[0] })
    const { sdkKey, placement: key, ...body } = read.data
    const environment = dataFiles.findHeld(sdkKey) ?? (await dataFiles.find(sdkKey))
    if (!environment) return reply.code(401).send({ error: 'Unknown SDK key' })
    const { envId } = environment
    const projectId = await projectIn(envId)
    const found = projectId === undefined ? undefined : await shelves.find(projectId, key)
    if (!found) return reply.code(404).send({ error: `There is no placement ${key} in this project.` })
    const { answer } = await recommend(context, { ...found, envId, body, limit: publicLimit })
    return answer
  }

  acceptFromSdks(app, {
    addresses: [{ url: '/api/sdk/v1/recommendations', described: operation, handle }],
    what: 'requests for recommendations',
    maxBytes,
    perMinute: context.requestsPerMinute,
    openRoom: context.openRoom,
    retryAfterSeconds,
    isUnavailable: context.isUnavailable,
  })
}

export function recommendationRoutes(
  route: Route,
  { one, url }: { one: OneOf<Placement>; url: string },
  context: Serving & { db: Db },
): void {
  const take = inTurnByKey(filteredPreviews)
  route({
    ...one,
    method: 'POST',
    url: `${url}/preview`,
    operationId: 'previewPlacement',
    summary: 'Preview a placement',
    description:
      'Answers what a page would get, and every candidate with the reason why it is not in the list. The body is that of a page, without `sdkKey`; with `history`, what is known of `unit` is that of Production.',
    scope: 'recommendations:read',
    idempotent: false,
    body: previewBody,
    data: previewSchema,
    async handle({ found, body: { placement: named = found.key, ...body } }) {
      if (named !== found.key)
        return invalid({
          path: ['placement'],
          message: `Must be ${found.key}, which the address names, or be left out.`,
        })
      const { projectId } = found
      const preview = async () => {
        const held = await context.shelves.refresh(projectId)
        const placement = held.placements.get(found.key) ?? found
        const envId = (await findProduction(context.db, projectId)) ?? null
        const { answer, ranked } = await recommend(context, { held, placement, envId, body, explains: true })
        return { data: { ...answer, candidates: ranked.candidates.map((each) => told(held.shelf, each)) } }
      }
      if (body.filter === null) return preview()
      return orTooBusy('Too many previews with a filter are waiting.', take(projectId, preview))
    },
  })
}

const operation = sdkOperation({
  operationId: 'getRecommendations',
  summary: 'Get recommendations',
  description:
    'Answers the products of a placement. The SDK key in the body is public. A placement without a model, an empty catalog or an unknown variant answers with what remains, or with no items. Browsers send the JSON as `text/plain`, which needs no preflight request.',
  consumes: ['application/json', 'text/plain'],
  body: requestBody,
  answers: {
    200: {
      description: 'Success',
      headers: ['Access-Control-Allow-Origin'],
      content: { 'application/json': answerSchema },
    },
    404: {
      description: 'The project has no such placement',
      headers: ['Access-Control-Allow-Origin'],
      content: { 'application/json': requestError },
    },
    ...describedFailures('The request is', 'Too many requests from this address', requestError),
  },
})
