import { useSyncExternalStore } from 'react'
import { sendFile } from '../../../api/send-file.ts'
import { api } from '../../../api.ts'
import { randomKey } from '../../../idempotency.ts'
import { announce } from '../../../ui/notice/announce.tsx'
import { type Job, jobsPath, readMs } from '../jobs/job.ts'
import { beginning, looked, type Sending } from './sending.ts'

/** Where a file goes. */
export interface Target {
  projectId: string
  /** The id of a source or a dataset. */
  id: string
  name: string
  /** The address, with its parameters. */
  path: string
  /** Whether a job reads the file while it comes. Otherwise it is made afterwards. */
  hasJob: boolean
}

interface Held {
  target: Target
  sending: Sending
  end: AbortController
}

/** By the id of the target. A file goes on while the person looks at other pages. */
const held = new Map<string, Held>()
const listeners = new Map<string, Set<() => void>>()

const tell = (id: string): void => {
  for (const listener of listeners.get(id) ?? []) listener()
}

function change(id: string, next: (sending: Sending) => Sending): void {
  const entry = held.get(id)
  if (!entry) return
  entry.sending = next(entry.sending)
  tell(id)
}

/** The file that is on its way to this source or dataset, if there is one. */
export function useSending(id: string): Sending | undefined {
  return useSyncExternalStore(
    (listener) => {
      const all = listeners.get(id) ?? new Set()
      listeners.set(id, all.add(listener))
      return () => void all.delete(listener)
    },
    () => held.get(id)?.sending,
  )
}

export function forget(id: string): void {
  held.delete(id)
  tell(id)
  if (held.size === 0) removeEventListener('beforeunload', warn)
}

/** A page that is left takes its files with it. */
const warn = (event: BeforeUnloadEvent): void => event.preventDefault()

/** Sends a file, and follows the job that reads it. */
export async function send(target: Target, file: File): Promise<void> {
  const { id } = target
  const end = new AbortController()
  const sending = randomKey()
  held.set(id, { target, sending: beginning(file, sending), end })
  addEventListener('beforeunload', warn)
  tell(id)
  const looks = target.hasJob ? setInterval(() => void look(target), readMs) : undefined
  try {
    const job = await sendFile<Job>(target.hasJob ? withSending(target.path, sending) : target.path, file, {
      signal: end.signal,
      sent: (bytes) => change(id, (sending) => ({ ...sending, sent: bytes })),
    })
    change(id, (sending) => ({ ...sending, status: 'TAKEN', job }))
  } catch (error) {
    failed(target, error)
  } finally {
    clearInterval(looks)
  }
  if (held.get(id)?.sending.status === 'TAKEN' && (listeners.get(id)?.size ?? 0) === 0) {
    forget(id)
    announce(`${file.name} was sent to ${target.name}.`)
  }
}

/** The address, which can have parameters already. */
const withSending = (path: string, sending: string): string =>
  `${path}${path.includes('?') ? '&' : '?'}sending=${sending}`

async function look(target: Target): Promise<void> {
  const newest = await newestJob(target).catch(() => undefined)
  change(target.id, (sending) => looked(sending, newest))
  const entry = held.get(target.id)
  if (entry?.sending.status === 'TAKEN') entry.end.abort()
}

function failed({ id, name }: Target, error: unknown): void {
  const status = held.get(id)?.sending.status
  // The job has ended before all of its file came.
  if (status === 'TAKEN') return
  if (status !== 'CANCELLING') return change(id, (sending) => ({ ...sending, status: 'REFUSED', error }))
  forget(id)
  announce(`Cancelled. Nothing of the file went to ${name}.`)
}

/** Ends the job first, so that nobody is told that it failed. */
export async function cancel(id: string): Promise<void> {
  const entry = held.get(id)
  if (!entry) return
  change(id, (sending) => ({ ...sending, status: 'CANCELLING' }))
  const { projectId, hasJob } = entry.target
  if (hasJob && !entry.sending.job) await look(entry.target)
  const { job } = entry.sending
  const path = job && { projectId, jobId: job.id }
  if (path) await api.POST(`${jobsPath}/{jobId}/cancel`, { params: { path } }).catch(() => undefined)
  entry.end.abort()
}

async function newestJob({ projectId, id }: Target): Promise<Job | undefined> {
  const params = { path: { projectId }, query: { sourceId: id, limit: 1 } }
  return (await api.GET(jobsPath, { params })).data!.data[0]
}
