import { invalid, isRefusal, type Refusal, refuse } from '../../../catalogue/refusals.ts'
import type { StreamedBody } from '../../../http/body.ts'
import type { Cursors } from '../../../http/page.ts'
import type { Route } from '../../../http/route.ts'
import type { Db } from '../../../platform/db/index.ts'
import type { Jobs } from '../../../platform/jobs/index.ts'
import type { Outbound } from '../../../platform/outbound/index.ts'
import type { Seal } from '../../../platform/seal.ts'
import { orTooBusy } from '../../../turns.ts'
import { projectNounRoutes } from '../../flags/projects/index.ts'
import { feedLimits } from '../feeds/index.ts'
import { credentialsFor, sourceActions } from './actions.ts'
import { bytesAt, feedHeaders } from './fetching.ts'
import { fileMediaTypes } from './media-types.ts'
import { previewOf } from './preview/actions.ts'
import { previews } from './previews.ts'
import type { Source } from './queries.ts'
import { removalFields } from './removal.ts'
import { createSourceBody, feedFile, previewSchema, sourceSchema, updateSourceBody } from './schema.ts'
import { syncRoute } from './sync/routes.ts'
import { uploadRoute } from './upload/routes.ts'

const deletionText =
  'Refused while a job of the source is queued or running. With `items=keep`, its items stay in the catalog. Nobody owns them any more: the API can change them, and a source that has them takes them over. With `items=remove`, a job of the kind `catalog_removal` removes those that nobody has taken over by then. The same job always removes what a supplement says.'

interface SourceContext {
  db: Db
  cursors: Cursors
  seal: Seal
  outbound: Outbound
  jobs: Jobs
}

export function sourceRoutes(route: Route, { db, cursors, seal, outbound, jobs }: SourceContext): void {
  const preview = previews()
  const refusesUrl = urlCheck(outbound)

  const { one, url } = projectNounRoutes(route, { db, cursors }, sourceActions(seal, jobs), {
    writtenBy: 'catalog:write',
    data: sourceSchema,
    present,
    create: {
      text: 'A source says where products or orders come from, how the file is read, and when a sync is held. Everything but `name` and `type` has a default.',
      body: createSourceBody,
      prepare: ({ body }) => refusesUrl(body.url),
    },
    texts: { delete: deletionText },
    removal: removalFields,
    update: {
      text: '`mapping`, `guards` and `fields` are replaced as a whole. If the address leads to a different host, send the secret again.',
      body: updateSourceBody,
      prepare: ({ body, found }) => refusesUrl(body.url === found.url ? undefined : body.url),
    },
  })

  route({
    ...one,
    method: 'POST',
    url: `${url}/preview`,
    operationId: 'previewCatalogSource',
    summary: 'Preview a catalog source',
    description:
      'Reads the first 100 rows, or the first 100 orders, and saves nothing. Without a body, the file comes from the `url` of the source; otherwise the body is the file, also packed by gzip. What the rows become is in `items` for PRODUCTS, in `values` for a SUPPLEMENT and in `orders` for ORDERS. What is wrong with a file is in `errors` and `fault`.',
    scope: 'catalog:write',
    idempotent: false,
    upload: { stream: true, maxBytes: feedLimits.maxReceivedBytes, mediaTypes: fileMediaTypes },
    body: feedFile,
    data: previewSchema,
    async handle({ found, by, body, gone }) {
      const file = (body ?? null) as StreamedBody | null
      return orTooBusy('Too many previews are waiting.', previewed(found, file, { gone: gone(), now: by.now }))
    },
  })

  syncRoute(route, { one, url }, { db, jobs })
  uploadRoute(route, { one, url }, { db, jobs })

  async function previewed(source: Source, file: StreamedBody | null, { gone, now }: { gone: AbortSignal; now: Date }) {
    const begin = file ? () => file : await fetching(source)
    if (isRefusal(begin)) return begin
    return { data: await preview(source.projectId, gone, begin, (bytes) => previewOf(db, source, bytes, now)) }
  }

  async function fetching(source: Source): Promise<((signal: AbortSignal) => AsyncIterable<Uint8Array>) | Refusal> {
    const { url } = source
    if (url === null)
      return refuse('invalid_state', 'The source has no url. Send the file as the body, or give the source a url.')
    const credentials = await credentialsFor(db, seal, source)
    if (isRefusal(credentials)) return credentials
    const { maxReceivedBytes: maxBytes } = feedLimits
    return (signal) => bytesAt(outbound.download, url, { headers: feedHeaders, credentials, maxBytes, signal })
  }
}

const urlCheck =
  (outbound: Outbound) =>
  async (text: string | null | undefined): Promise<Refusal | undefined> => {
    const problem = text === null || text === undefined ? undefined : await outbound.checkUrl(text)
    return problem === undefined ? undefined : invalid({ path: ['url'], message: problem })
  }

const present = (rows: Source[]) =>
  rows.map(({ version: _version, secretId: _secretId, createdAt, updatedAt, ...source }) => ({
    ...source,
    fields: source.fields && [...source.fields],
    createdAt: createdAt.toISOString(),
    updatedAt: updatedAt.toISOString(),
  }))
