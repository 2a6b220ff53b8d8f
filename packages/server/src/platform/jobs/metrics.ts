import { Counter, type Registry } from 'prom-client'

/** What an operator sees of jobs. */
export interface JobsObserver {
  asked(kind: string): void
  ended(kind: string, status: string): void
}

export function observeJobs(registry: Registry): JobsObserver {
  const registers = [registry]
  const asked = new Counter({
    name: 'svc_jobs_requested_total',
    help: 'Jobs that this node was asked for',
    labelNames: ['kind'],
    registers,
  })
  const ended = new Counter({
    name: 'svc_jobs_ended_total',
    help: 'Jobs that ended on this node, by the status with which they ended',
    labelNames: ['kind', 'status'],
    registers,
  })
  return {
    asked: (kind) => asked.inc({ kind }),
    ended: (kind, status) => ended.inc({ kind, status }),
  }
}
