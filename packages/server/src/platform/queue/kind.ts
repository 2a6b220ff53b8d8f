/** The fields of a claimed row that the queue uses. */
export interface Job {
  /** No other worker takes the job before this time. */
  leaseUntil: Date
}

/** The answer to an attempt. */
export interface Answer {
  durationMs: number
}

/** The stored result of an attempt. `DELIVERED` means that the destination works. */
export interface Settlement {
  status: string
  /** The lane must rest until then. If it is left out, the lane does not rest. */
  restsUntil?: Date
}

/** A kind of work in the queue, such as webhooks. Everything except `send` is pure and gets the time as a value. */
export interface Kind<J extends Job, Request, A extends Answer, S extends Settlement> {
  /** The answer for a job that must not be sent any more; undefined if it can be sent. */
  check(job: J): A | undefined
  /** The request, made again for each attempt, or the answer that says why it cannot be made. */
  render(job: J, now: Date): { request: Request } | { unsent: A }
  send(request: Request): Promise<A>
  judge(job: J, answer: A, now: Date): S
}

/** An attempt that has ended, and its result. */
export interface Attempted<J extends Job, A extends Answer, S extends Settlement> {
  job: J
  answer: A
  settlement: S
}

/** Makes one attempt at a job. */
export async function attempt<J extends Job, Request, A extends Answer, S extends Settlement>(
  kind: Kind<J, Request, A, S>,
  job: J,
  now: () => Date,
): Promise<Attempted<J, A, S>> {
  const answer = kind.check(job) ?? (await sent(kind, job, now()))
  return { job, answer, settlement: kind.judge(job, answer, now()) }
}

async function sent<J extends Job, Request, A extends Answer, S extends Settlement>(
  { render, send }: Kind<J, Request, A, S>,
  job: J,
  now: Date,
): Promise<A> {
  const rendered = render(job, now)
  return 'unsent' in rendered ? rendered.unsent : send(rendered.request)
}
