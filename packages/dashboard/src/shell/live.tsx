import { type Query, type QueryClient, useQueryClient } from '@tanstack/react-query'
import { useEffect, useState, useSyncExternalStore } from 'react'
import { ownAnswerAt } from '../api/own-requests.ts'
import { gathering } from './live/gathering.ts'
import { followChanges } from './live/live-connection.ts'
import { type Change, isDeletion, isOutdated, type LiveEvent, sentenceOf, speakAt } from './live/live-message.ts'
import { notePresence } from './live/presence.ts'
import classes from './live.module.css'
import { useOrganization, useSession } from './session.ts'
import { type Refreshes, useDoors } from './wing.ts'

const withoutStreamMs = 30_000
const keptMarks = 500

/** The latest change of an object by another person, token or tab. */
export interface ChangedBy {
  name: string
  action: string
  at: Date
}

const marks = new Map<string, ChangedBy>()
const onScreen = new Map<string, number>()
const listeners = new Set<() => void>()
const keyOf = (kind: string, id: string) => `${kind} ${id}`

/**
 * Who else changed this object while it was on the screen, and when; undefined if nobody did. Use it once for the
 * object of a page and for each row of a list: it marks the change, and screen readers hear of it.
 */
export function useChangedBy(kind: string, id: string): ChangedBy | undefined {
  const key = keyOf(kind, id)
  useEffect(() => {
    onScreen.set(key, (onScreen.get(key) ?? 0) + 1)
    return () => {
      const left = onScreen.get(key)! - 1
      if (left > 0) onScreen.set(key, left)
      else onScreen.delete(key)
    }
  }, [key])
  return useSyncExternalStore(listen, () => marks.get(key))
}

function listen(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

function mark({ kind, id, action, by, at }: Change): void {
  const key = keyOf(kind, id)
  marks.delete(key)
  marks.set(key, { name: by.name, action, at: new Date(at) })
  for (const oldest of marks.keys()) if (marks.size > keptMarks) marks.delete(oldest)
  for (const listener of listeners) listener()
}

/**
 * Keeps what is on the screen up to date with what others change, and says so to screen readers: changes in turn, a
 * deletion at once.
 */
export function Live() {
  const client = useQueryClient()
  const { refreshes } = useDoors()
  const userId = useSession().user.id
  const orgId = useOrganization()?.id
  const [sentence, setSentence] = useState('')
  const [alarm, setAlarm] = useState('')

  useEffect(() => {
    if (orgId === undefined) return
    marks.clear()
    const speaker = speakSometimes(setSentence)
    const stop = keepUpToDate({ client, refreshes, userId, orgId }, (change) => {
      mark(change)
      if (!onScreen.has(keyOf(change.kind, change.id))) return
      if (isDeletion(change)) setAlarm(sentenceOf(change))
      else speaker.speak(sentenceOf(change))
    })
    return () => {
      stop()
      speaker.stop()
    }
  }, [client, refreshes, userId, orgId])

  return (
    <>
      <div className={classes.spoken} aria-live="polite">
        {sentence}
      </div>
      <div className={classes.spoken} aria-live="assertive">
        {alarm}
      </div>
    </>
  )
}

interface Kept {
  client: QueryClient
  refreshes: Refreshes
  userId: string
  orgId: string
}

function keepUpToDate({ client, refreshes, userId, orgId }: Kept, onOther: (change: Change) => void): () => void {
  let isOpen = false
  let startedAt = 0

  const outdated = gathering((changes: { change: Change; since: number; inFlight: ReadonlySet<string> }[]) =>
    client.invalidateQueries({
      refetchType: document.hidden ? 'none' : 'active',
      predicate: (query) => {
        const { queryKey, queryHash, state } = query
        // The answer to a call that was under way can be from before the change, however late it came.
        const readAt = (inFlight: ReadonlySet<string>) => (inFlight.has(queryHash) ? 0 : state.dataUpdatedAt)
        const isOld = changes.some((each) => isOutdated({ queryKey, readAt: readAt(each.inFlight) }, each, refreshes))
        return isOld && !isOfForm(query)
      },
    }),
  )
  const take = async (change: Change, isPast: boolean) => {
    const answeredAt = await ownAnswerAt(change.requestId)
    const reads = answeredAt === undefined ? client.getQueryCache().findAll({ fetchStatus: 'fetching' }) : []
    // The page of an own change reads it again by itself.
    outdated.add({
      change,
      since: answeredAt ?? Date.now(),
      inFlight: new Set(reads.map(({ queryHash }) => queryHash)),
    })
    if (answeredAt === undefined && !isPast) onOther(change)
  }
  const onEvent = (event: LiveEvent) => {
    if (event.type === 'change') void take(event.change, Number(event.id) <= startedAt)
    if (event.type === 'ready') startedAt = event.upTo
    if (event.type === 'presence') notePresence(event.presence)
    if (event.type === 'gap' || (event.type === 'lost' && event.isRefused)) readVisible(client)
    if (event.type !== 'change') isOpen = event.type !== 'lost'
  }
  const stop = followChanges({ userId, orgId }, onEvent)
  const timer = setInterval(() => {
    if (!isOpen && !document.hidden) readVisible(client)
  }, withoutStreamMs)
  return () => {
    stop()
    clearInterval(timer)
    outdated.stop()
  }
}

function readVisible(client: QueryClient): void {
  void client.invalidateQueries({ predicate: (query) => query.queryKey[0] === 'get' && !isOfForm(query) })
}

/** Forms say `refetchOnWindowFocus: false`: new content would replace what the person has typed. */
const isOfForm = ({ observers }: Query): boolean =>
  observers.some(({ options }) => options.refetchOnWindowFocus === false)

/** Passes on at most one sentence in ten seconds; of those in between, the last. */
function speakSometimes(say: (sentence: string) => void) {
  let spokenAt = 0
  let next: ReturnType<typeof setTimeout> | undefined
  return {
    speak(sentence: string) {
      clearTimeout(next)
      const now = Date.now()
      const at = speakAt(spokenAt, now)
      next = setTimeout(() => {
        spokenAt = Date.now()
        say(sentence)
      }, at - now)
    },
    stop: () => clearTimeout(next),
  }
}
