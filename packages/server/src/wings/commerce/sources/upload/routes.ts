import { z } from 'zod'
import { invalid, isRefusal, notFound, type Refusal, refuse } from '../../../../catalogue/refusals.ts'
import { idField } from '../../../../fields.ts'
import type { StreamedBody } from '../../../../http/body.ts'
import type { Route } from '../../../../http/route.ts'
import type { Db } from '../../../../platform/db/index.ts'
import { isId } from '../../../../platform/ids.ts'
import { type ClaimedJob, findJob, type Jobs } from '../../../../platform/jobs/index.ts'
import { inTurn, TooBusy } from '../../../../turns.ts'
import type { projectNounRoutes } from '../../../flags/projects/index.ts'
import { jobSchema, presentJob } from '../../../model/jobs/index.ts'
import { feedLimits } from '../../feeds/index.ts'
import { idleMs } from '../fetching.ts'
import { fileMediaTypes } from '../media-types.ts'
import type { Source } from '../queries.ts'
import { sentFile } from '../schema.ts'
import { takeFile } from './actions.ts'
import { beginning, restOf } from './store.ts'

type OfSource = ReturnType<typeof projectNounRoutes<Source, never, never, never>>

/** Each has a batch of rows in memory. */
const atOnce = { atOnce: 4, waitingAtMost: 0 }
/** The files of a catalog wait for each other, and those of others must not wait for them. */
const openOfProject = 3
/** After a fault, so much time is left for the rest of a file, so that its sender reads the answer. */
const restMs = 10_000

export function uploadRoute(route: Route, { one, url }: OfSource, context: { db: Db; jobs: Jobs }): void {
  const { db, jobs } = context
  const take = inTurn(atOnce)
  const open: string[] = []

  route({
    ...one,
    method: 'POST',
    url: `${url}/uploads`,
    operationId: 'uploadCatalogSource',
    summary: 'Send a file to a catalog source',
    description:
      'The body is the file, also packed by gzip: up to 1 GiB, and 2 GiB unpacked. It is read while it comes; 30 seconds without a byte end it. The answer is the job (202), which can still be at work after the last byte: call `getJob` to see how it ends. While the source has a job that is queued or running, the answer is 409 `invalid_state` with this job. Up to three files of a project are received or read at once. A file that was sent is not kept: if the service stops meanwhile, the job fails, and you send the file again.',
    scope: 'catalog:write',
    status: 202,
    idempotent: false,
    upload: { stream: true, maxBytes: feedLimits.maxReceivedBytes, mediaTypes: fileMediaTypes, idleMs, packed: true },
    query: {
      apply: idField.optional().meta({
        description:
          'The held job of this source whose file you send again. The counts in `result.guards` of that job are the limits.',
      }),
      sending: z.string().min(1).max(64).optional().meta({
        description:
          'A text of your own, such as random digits. The job has it as `sending` while it reads the file, so that you know the job before the answer.',
      }),
    },
    body: sentFile,
    data: jobSchema,
    async handle({ found: { id: sourceId, projectId }, body, query: { apply, sending }, caller, by }) {
      if (apply !== undefined && !isId(apply)) return invalid({ path: ['apply'], message: 'Must be the id of a job.' })
      const orgId = caller.organization.id
      if (open.filter((id) => id === projectId).length >= openOfProject)
        return refuse('unavailable', `${openOfProject} files of this project are being read. Send it when one is done.`)
      open.push(projectId)
      const begin = () => takeFile(context, by, { orgId, projectId, sourceId, apply, sending })
      const taken = Promise.withResolvers<Refusal | Taken>()
      // A job has its place until its end, also when all of its file has come.
      take(() => received(jobs, begin, body as StreamedBody, taken.resolve))
        .catch(taken.reject)
        .finally(() => open.splice(open.indexOf(projectId), 1))
      try {
        const begun = await taken.promise
        if (isRefusal(begun)) return begun
        await begun.whole
        const job = await findJob(db, { orgId, projectId }, begun.job.id)
        return job ? { data: presentJob(job) } : notFound('Project')
      } catch (error) {
        if (error instanceof TooBusy)
          return refuse('unavailable', 'Too many files are being received. Try again shortly.')
        throw error
      }
    },
  })
}

interface Taken {
  job: ClaimedJob
  /** Resolves when all of the file has come, or the job has ended before. */
  whole: Promise<void>
}

/** Runs the job of a file to its end, and tells at once what it is. */
async function received(
  jobs: Jobs,
  begin: () => Promise<ClaimedJob | Refusal>,
  body: StreamedBody,
  tell: (taken: Refusal | Taken) => void,
): Promise<void> {
  const job = await begin()
  if (isRefusal(job)) return tell(job)
  const file = beginning(body)
  const ended = jobs.receive(job, file.bytes)
  tell({ job, whole: Promise.race([ended.then(() => restOf(file.bytes, restMs)), file.whole]) })
  await ended
}
