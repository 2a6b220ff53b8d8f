import { setTimeout as pause } from 'node:timers/promises'

/**
 * On a busy machine, a caller whose turn does not come within seconds is asked to come back. This is an answer to load,
 * and nothing has happened yet: clients try again, and so do the tests.
 */
export const isTurnedAway = (status: number, said: { error?: { code: string } }): boolean =>
  status === 503 && said.error?.code === 'unavailable'

const mostTries = 20
const betweenMs = 1_000

/** Sends until the service has room. After some tries, its last answer stands. */
export async function untilTaken<Answer extends { status: number; body: { error?: { code: string } } }>(
  send: () => Promise<Answer>,
): Promise<Answer> {
  for (let tries = 1; ; tries += 1) {
    const answer = await send()
    if (!isTurnedAway(answer.status, answer.body) || tries === mostTries) return answer
    await pause(betweenMs)
  }
}
