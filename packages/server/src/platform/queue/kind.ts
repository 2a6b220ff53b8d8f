/** A claimed row, as far as the queue looks at it. */
export interface Job {
  /** Until then no other worker takes it. */
  leaseUntil: Date
}

/** What came back from an attempt. */
export interface Answer {
  durationMs: number
}

/** What is written down about an attempt. `DELIVERED` says that the destination is well. */
export interface Settlement {
  status: string
}

/**
 * A kind of work over the queue, such as webhooks: what its jobs become. All but `send` decide on values and on the
 * time that they are given.
 */
export interface Kind<J extends Job, Request, A extends Answer, S extends Settlement> {
  /** The answer for a job that must not be sent any more; undefined: go ahead. */
  check(job: J): A | undefined
  /** What to send, made anew for each attempt, or the answer that says why it cannot be made. */
  render(job: J, now: Date): { request: Request } | { unsent: A }
  send(request: Request): Promise<A>
  judge(job: J, answer: A, now: Date): S
}

/** An attempt that has ended, and what it means. */
export interface Attempted<J extends Job, A extends Answer, S extends Settlement> {
  job: J
  answer: A
  settlement: S
}

/** One attempt at a job. */
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
