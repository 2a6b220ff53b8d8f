import type { Data } from '@svc/client'
import { command, type Group } from '../command.ts'
import { Problem } from '../problem.ts'
import { allOf } from '../service/pages.ts'
import type { Session } from '../session.ts'
import { shownTime } from '../terminal/times.ts'
import { limitOption, wholeNumber } from '../values/option-values.ts'

const listPath = '/api/v1/projects/{projectId}/commerce/jobs'
const itemPath = `${listPath}/{jobId}` as const

export type Job = Data<typeof itemPath, 'get'>
type Going = Pick<Job, 'progress' | 'status' | 'reason' | 'isCancelling'>
type WayOut = Pick<Job, 'id' | 'kind' | 'status' | 'trigger'>

const pollMs = 1000
/** A count that moves within a step is told so often, in polls. */
const pollsBetweenCounts = 5
const statuses = ['QUEUED', 'RUNNING', 'SUCCEEDED', 'FAILED', 'CANCELLED', 'HELD'] as const

const list = command({
  name: 'job list',
  summary: 'List the background jobs of a project.',
  watch: true,
  options: {
    kind: { value: 'KIND', about: 'Only jobs of this kind, such as visitor_erasure.' },
    status: { value: 'STATUS', about: 'Only jobs with this status.', choices: statuses },
    ...limitOption,
  },
  async run({ options, session }) {
    const { connection, project, output } = session
    const { kind, status } = options
    const wanted = {
      ...(kind !== undefined && { kind }),
      ...(status !== undefined && { status: status as Job['status'] }),
    }
    const jobs = await allOf(
      (query) =>
        connection.api.GET(listPath, { params: { path: { projectId: project }, query: { ...query, ...wanted } } }),
      wholeNumber(options.limit, '--limit'),
    )
    output.data(jobs, () =>
      output.rows(
        [
          { head: 'ID', cell: ({ id }) => id },
          { head: 'KIND', cell: (job) => job.kind },
          { head: 'ABOUT', cell: ({ source }) => source.name },
          { head: 'STATUS', cell: (job) => job.status },
          { head: 'PROGRESS', cell: (each) => progressOf(each) },
          { head: 'CREATED', cell: ({ createdAt }) => shownTime(createdAt) },
          { head: 'REASON', cell: ({ reason }) => reason },
        ],
        jobs,
        'The project has no background jobs.',
      ),
    )
  },
})

const get = command({
  name: 'job get',
  summary: 'Show a background job.',
  watch: true,
  args: ['JOB'],
  async run({ args, session }) {
    show(session, await read(session, args.JOB))
  },
})

const wait = command({
  name: 'job wait',
  summary: 'Wait until a background job has ended. Fails if the job does not succeed.',
  args: ['JOB'],
  async run({ args, session }) {
    await waitFor(session, await read(session, args.JOB))
  },
})

const errors = command({
  name: 'job errors',
  summary: 'List the rows that a job skipped, and why. Warnings are of rows that it used.',
  about: 'In the order in which they were found. They are kept for 30 days.',
  args: ['JOB'],
  options: limitOption,
  async run({ args, options, session: { connection, project, output } }) {
    const path = { projectId: project, jobId: args.JOB }
    const found = await allOf(
      (query) => connection.api.GET(`${itemPath}/errors`, { params: { path, query } }),
      wholeNumber(options.limit, '--limit'),
    )
    output.data(found, () =>
      output.rows(
        [
          { head: 'LINE', cell: ({ line }) => line, right: true },
          { head: 'ITEM', cell: ({ itemId }) => itemId },
          { head: 'CODE', cell: ({ code }) => code },
          { head: 'KIND', cell: ({ isWarning }) => (isWarning ? 'warning' : 'error') },
          { head: 'MESSAGE', cell: ({ message }) => message },
        ],
        found,
        'The job has no errors.',
      ),
    )
  },
})

const cancel = command({
  name: 'job cancel',
  summary: 'Cancel a background job. What it has done by then is kept.',
  args: ['JOB'],
  async run({ args, session }) {
    const { connection, project, output, prompt } = session
    const { kind, source } = await read(session, args.JOB)
    await prompt.confirm(`Cancel the job ${kind} of ${source.name}?`)
    const path = { projectId: project, jobId: args.JOB }
    const { data } = await connection.api.POST(`${itemPath}/cancel`, { params: { path } })
    const isOver = data!.data.status === 'CANCELLED'
    output.wrote(data!.data, isOver ? 'The job is cancelled.' : 'The job ends after its current step.')
  },
})

const apply = command({
  name: 'job apply',
  summary: 'Apply a job that a guard holds. The new job does no more than the held one would have done.',
  args: ['JOB'],
  async run({ args, session }) {
    const { connection, project, output, prompt } = session
    const { reason, source } = await read(session, args.JOB)
    await prompt.confirm(`Apply the held job of ${source.name}? ${reason ?? ''}`.trim())
    const path = { projectId: project, jobId: args.JOB }
    const { data } = await connection.api.POST(`${itemPath}/apply`, { params: { path } })
    output.wrote(data!.data, `The job ${data!.data.id} applies it.`)
  },
})

const retry = command({
  name: 'job retry',
  summary: 'Retry a background job that failed or was cancelled.',
  args: ['JOB'],
  async run({ args, session }) {
    const { connection, project, output } = session
    const path = { projectId: project, jobId: args.JOB }
    const { data } = await connection.api.POST(`${itemPath}/retry`, { params: { path } })
    output.wrote(data!.data, `The job ${data!.data.id} retries it.`)
  },
})

export const job: Group = {
  name: 'job',
  summary: 'Background work, such as syncs of feeds and erasures: how far it is, and what went wrong.',
  commands: [list, get, errors, wait, apply, cancel, retry],
}

async function read({ connection, project }: Session, jobId: string): Promise<Job> {
  const { data } = await connection.api.GET(itemPath, { params: { path: { projectId: project, jobId } } })
  return data!.data
}

/** For commands that ask for a job. */
export const waitOption = { wait: { about: 'Wait until the job has ended, and fail if it does not succeed.' } } as const

/**
 * Shows a job that was asked for, or waits for its end.
 *
 * @param what it does, in words: "builds the model"
 */
export async function askedFor(session: Session, job: Job, what: string, wait: boolean | undefined): Promise<void> {
  if (wait) return waitFor(session, job)
  session.output.wrote(job, `The job ${job.id} ${what}. See svc job wait ${job.id}.`)
}

/** Waits until the job has ended, and shows it. */
export async function waitFor(session: Session, first: Job): Promise<void> {
  const { output, world } = session
  let found = first
  let told = ''
  let step = ''
  let polls = 0
  while (found.status === 'QUEUED' || found.status === 'RUNNING') {
    const now = [found.status, progressOf(found), found.reason].filter(Boolean).join('  ')
    const nowStep = [found.status, found.progress?.step, found.isCancelling, found.reason].join()
    if (now !== told && (nowStep !== step || polls >= pollsBetweenCounts)) {
      output.say(now)
      told = now
      step = nowStep
      polls = 0
    }
    polls += 1
    await world.sleep(pollMs)
    found = await read(session, found.id)
  }
  show(session, found)
  if (found.status !== 'SUCCEEDED')
    throw new Problem(
      'failed',
      [`The job ended as ${found.status}.`, found.reason, wayOut(found)].filter(Boolean).join(' '),
    )
}

/** What a person can do about a job that has ended without success. Of a failed upload, the reason says it. */
export function wayOut({ id, kind, status, trigger }: WayOut): string {
  if (status === 'HELD' && kind === 'dataset_refresh')
    return 'If this is right, let the version go live with svc dataset activate.'
  if (status === 'HELD')
    return trigger === 'UPLOAD'
      ? `If this is right, send the same file again with --apply ${id}.`
      : `If this is right, apply it with svc job apply ${id}.`
  return trigger === 'UPLOAD' ? '' : `To try again, use svc job retry ${id}.`
}

function show({ output }: Session, found: Job): void {
  const { id, kind, source, status, attempt, reason, createdAt, startedAt, endedAt, result } = found
  output.data(found, () =>
    output.details([
      ['Id', id],
      ['Kind', kind],
      ['About', source.name],
      ['Status', status],
      ['Progress', progressOf(found)],
      ['Tries', attempt],
      ['Created', shownTime(createdAt)],
      ['Started', shownTime(startedAt)],
      ['Ended', shownTime(endedAt)],
      ['Reason', reason],
      ...resultLines(result),
    ]),
  )
}

/** Steps that count bytes. The others count rows, items, orders and the like. */
const stepsOfBytes = ['FETCH', 'STORE']

/** "WRITE 2,000/20,000", or "READ 41,000" while nobody knows how many there are. */
export function progressOf({ progress, status, reason, isCancelling }: Going): string {
  if (status === 'RUNNING' && isCancelling) return 'ends after its current step'
  // A job that waits until another one has written the catalog is queued meanwhile.
  const isWaiting = status === 'QUEUED' && progress?.step === 'WAIT' && reason === null
  if (!progress || !(status === 'RUNNING' || isWaiting)) return ''
  const { step, done, of } = progress
  const count = (amount: number) => `${amount.toLocaleString('en')}${stepsOfBytes.includes(step) ? ' B' : ''}`
  if (of) return `${step} ${count(done)}/${count(of)}`
  return done > 0 ? `${step} ${count(done)}` : step
}

/** Shows counts, and the lengths of lists. `--json` has everything. */
const resultLines = (result: Job['result']): [string, string | number][] =>
  Object.entries(result ?? {}).flatMap(([name, value]): [string, string | number][] => {
    const label = labelOf(name)
    if (typeof value === 'number' || typeof value === 'string') return [[label, value]]
    return Array.isArray(value) ? [[label, value.length]] : []
  })

/** "rowsSkipped" is "Rows skipped". */
export const labelOf = (name: string): string => {
  const words = name.replaceAll(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`)
  return `${words[0]!.toUpperCase()}${words.slice(1)}`
}
