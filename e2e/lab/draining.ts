import { booleanFlag } from '../../packages/server/testing/boolean-flag.ts'
import { reaches } from './api.ts'
import type { Dice } from './dice.ts'
import type { KeptConnection } from './kept.ts'
import { since } from './run.ts'
import type { Node } from './site.ts'

const leastNodes = 2
const callers = 4
const connectionsOfAKind = 4
const mostAnswersBefore = 20
// The node waits a second for kept connections. A caller that takes longer than this proves nothing.
const promptMs = 500

/** What the callers of the nodes have seen. */
export interface Seen {
  violations: string[]
  /** Ids of the flags whose creation got a success answer. */
  acknowledged: string[]
  slowestStopMs: number
  /** Requests on kept connections: those that were running at SIGTERM, and those after it. */
  underWay: number
  afterwards: number
}

/** Sends SIGTERM to the nodes one after the other, while callers create flags on all of them. */
export async function drainEach(
  { nodes, start, drains, flagsPath }: { nodes: Node[]; start(): Promise<Node>; drains: number; flagsPath: string },
  dice: Dice,
): Promise<Seen> {
  const seen: Seen = { violations: [], acknowledged: [], slowestStopMs: 0, underWay: 0, afterwards: 0 }
  let flags = 0
  let loading = true

  const nextFlag = () => {
    flags += 1
    return booleanFlag(`drained-${flags}`)
  }
  // biome-ignore lint/suspicious/noExplicitAny: tests read any answer of the API
  const note = ({ status, body }: { status: number; body: any }, what: string) => {
    if (status === 201) seen.acknowledged.push(body.data.id)
    else seen.violations.push(`a request ${what} ended with ${status} ${JSON.stringify(body)}`)
  }

  async function call(): Promise<void> {
    while (loading) {
      const { api } = nodes[dice.below(nodes.length)]!
      note(await api.send('POST', flagsPath, nextFlag()).catch(unanswered), 'on either node')
    }
  }

  /** Sends requests one after the other on the same connection, until an answer says that it was the last. */
  async function keepCalling(connection: KeptConnection): Promise<void> {
    for (;;) {
      const reply = await connection.send('POST', flagsPath, nextFlag()).catch(unanswered)
      note(reply, 'of a caller that continues')
      if (reply.isLast || reply.status !== 201) return
    }
  }

  async function finish(end: () => ReturnType<KeptConnection['send']>, askedMs: number): Promise<void> {
    seen.underWay += 1
    const begunMs = since(askedMs)
    const reply = await end().catch(unanswered)
    note(reply, `under way at SIGTERM, sent after ${begunMs} ms and ended after ${since(askedMs)} ms,`)
  }

  async function callOnceMore(connection: KeptConnection, askedMs: number): Promise<void> {
    if (since(askedMs) > promptMs) return
    seen.afterwards += 1
    note(await connection.send('POST', flagsPath, nextFlag()).catch(unanswered), 'on a kept connection after SIGTERM')
  }

  /** Connections that the node has accepted: each has carried a request. */
  const keep = (node: Node) =>
    Promise.all(
      Array.from({ length: connectionsOfAKind }, async () => {
        const connection = node.keep()
        const { status } = await connection.send('GET', `${flagsPath}?limit=1`)
        if (status !== 200) seen.violations.push(`a request before ended with ${status}`)
        return connection
      }),
    )

  async function drainOne(): Promise<void> {
    while (nodes.length < leastNodes) nodes.push(await start())
    const victim = nodes[dice.below(nodes.length)]!
    const [idle, others, steady] = [await keep(victim), await keep(victim), await keep(victim)]
    const begun = await Promise.all(others.map((each) => each.begin('POST', flagsPath, nextFlag())))
    const going = steady.map(keepCalling)
    const until = seen.acknowledged.length + 1 + dice.below(mostAnswersBefore)
    const isReached = (count: number) => count >= until || seen.violations.length > 0
    await reaches('load', async () => seen.acknowledged.length, isReached)
    // Like a load balancer, make no new connections to this node.
    nodes.splice(nodes.indexOf(victim), 1)
    const askedMs = performance.now()
    const stopped = victim.stop()
    // When an answer announces the end of its connection, the node has received the signal.
    await Promise.race(going)
    await Promise.all([
      ...going,
      ...begun.map((end) => finish(end, askedMs)),
      ...idle.map((connection) => callOnceMore(connection, askedMs)),
    ])
    const { code, tookMs } = await stopped
    seen.slowestStopMs = Math.max(seen.slowestStopMs, tookMs)
    if (code !== 0) seen.violations.push(`exit ${code}`)
  }

  const calls = Array.from({ length: callers }, call)
  try {
    for (let drain = 0; drain < drains && seen.violations.length === 0; drain += 1) await drainOne()
  } finally {
    loading = false
    await Promise.all(calls)
  }
  return seen
}

const unanswered = (error: Error & { cause?: unknown }) => ({
  status: 0,
  body: String(error.cause ?? error),
  isLast: true,
})
