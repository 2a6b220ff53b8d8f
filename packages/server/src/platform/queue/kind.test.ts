import { describe, expect, it } from 'vitest'
import { attempt, type Kind } from './kind.ts'

interface Parcel {
  leaseUntil: Date
  text: string
}

const answerOf = (text: string) => ({ text, durationMs: 1 })

/** A clock that is a second later at each look. */
function secondsPass() {
  let second = 0
  return () => {
    second += 1
    return new Date(second * 1000)
  }
}

function kindWith({ checked, unsent }: { checked?: string; unsent?: string } = {}) {
  const sent: string[] = []
  const kind: Kind<Parcel, string, ReturnType<typeof answerOf>, { status: string; at: Date }> = {
    check: () => (checked === undefined ? undefined : answerOf(checked)),
    render: ({ text }, now) =>
      unsent === undefined ? { request: `${text} at ${now.getTime()}` } : { unsent: answerOf(unsent) },
    async send(request) {
      sent.push(request)
      return answerOf('thanks')
    },
    judge: (_job, { text }, now) => ({ status: text, at: now }),
  }
  const job = { leaseUntil: new Date(60_000), text: 'hello' }
  return { sent, done: attempt(kind, job, secondsPass()), job }
}

describe('an attempt', () => {
  it('is rendered when it starts and judged when it ends', async () => {
    const { sent, done, job } = kindWith()
    expect(await done).toEqual({
      job,
      answer: answerOf('thanks'),
      settlement: { status: 'thanks', at: new Date(2000) },
    })
    expect(sent).toEqual(['hello at 1000'])
  })

  it('sends nothing when the check has the answer', async () => {
    const { sent, done } = kindWith({ checked: 'too late' })
    expect((await done).settlement.status).toBe('too late')
    expect(sent).toEqual([])
  })

  it('sends only what can be rendered', async () => {
    const { sent, done } = kindWith({ unsent: 'no key' })
    expect((await done).settlement.status).toBe('no key')
    expect(sent).toEqual([])
  })
})
