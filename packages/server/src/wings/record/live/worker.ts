import type { ServerResponse } from 'node:http'
import { Gauge, type Registry } from 'prom-client'
import { type Refusal, refuse } from '../../../catalogue/refusals.ts'
import type { Caller, Credential } from '../../../http/credentials.ts'
import { type EventStream, eventStream, ping, retryFrame, write } from '../../../http/event-stream.ts'
import { type Database, type Db, isUnavailable } from '../../../platform/db/index.ts'
import { recordedChannel } from '../../../platform/outbox.ts'
import type { Presence, PresenceOnNode } from '../../measuring/experiments/index.ts'
import { signedInSessions } from '../../people/sessions/index.ts'
import {
  type Change,
  changeFrame,
  decidesWhoSees,
  gapFrame,
  isToldTo,
  isToldWhoEdits,
  presenceFrame,
  type Reader,
  readyFrame,
  seesTheSame,
  startOf,
} from './change.ts'
import { listChanges, newestChanges } from './queries.ts'

/** How often streams are pinged, and those of ended sessions are closed. */
export const roundIntervalMs = 30_000
const usualLimits = { streamsPerNode: 5_000, streamsPerPerson: 20 }
const retryAfterSeconds = 10
/** How many changes of an organization a node keeps for streams that are behind. A longer absence is a gap. */
const keptChanges = 256
/** The most that one write contains: about 10 KB. The next one waits until it has left the process. */
const changesPerWrite = 32
/** As many can be 20 KB. */
const presencesPerWrite = 4

export interface LiveChanges {
  /** Finds where the stream begins. The result writes it to a response. */
  join(
    caller: Caller & { user: NonNullable<Caller['user']> },
    lastEventId: string | undefined,
  ): Promise<((response: ServerResponse) => Promise<void>) | Refusal>
  start(): Promise<void>
  /** Ends all streams. The browsers reconnect to a different node. */
  stop(): void
}

/** One browser. `seq` is the number of the last change that was sent to it or that is not for it. */
interface Stream extends EventStream {
  sessionId: string
  orgId: string
  reader: Reader
  seq: number
  /** Who edits an experiment, by its id, until it is sent: only the last word counts. */
  presences: Map<string, string>
  /** False until its session was checked once more: it can have ended during the connection. */
  open: boolean
}

/** An organization with streams, and its newest changes, oldest first. */
interface Channel {
  orgId: string
  recent: Change[]
  streams: Set<Stream>
  /** A commit was announced and is not read yet. */
  isBehind: boolean
  reading: Promise<void> | undefined
}

interface Context {
  database: Database
  now: () => Date
  registry: Registry
  onError: (error: unknown) => void
  presence: Pick<PresenceOnNode, 'all' | 'watch'>
  limits?: typeof usualLimits
}

/** Notifies people who are signed in to the dashboard of changes. The changes come from the audit log. */
export function liveChanges({
  database,
  now,
  registry,
  onError,
  presence,
  limits = usualLimits,
}: Context): LiveChanges {
  const { db } = database
  const channels = new Map<string, Channel>()
  const { follow, endOutdated } = following(db, now)
  let stopped = false
  let rounds: NodeJS.Timeout | undefined
  const streams = () => [...channels.values()].flatMap((channel) => [...channel.streams])
  showStreams(registry, () => streams().length)

  tellWhoEdits(presence, channels)

  async function round(): Promise<void> {
    for (const channel of channels.values())
      for (const stream of channel.streams) ping(stream, () => send(channel, stream))
    const all = streams()
    if (all.length > 0) await endOutdated(all)
  }

  return {
    async join({ id: sessionId, user, organization, scopes, projects }, lastEventId) {
      const { id: orgId } = organization
      const opened = await openChannel(db, channels, orgId)
      // Several can have waited at once, so they are counted when each begins.
      if (stopped) return refuse('unavailable', 'This node is shutting down.')
      const refusal = overLimit(streams(), user.id, limits)
      if (refusal) return refusal
      return async (response) => {
        if (response.destroyed || response.closed) return
        const channel = channels.get(orgId) ?? opened
        const reader = { userId: user.id, scopes, projects }
        const stream: Stream = {
          ...eventStream(response),
          sessionId,
          orgId,
          reader,
          seq: 0,
          presences: new Map(),
          open: false,
        }
        channels.set(orgId, channel)
        channel.streams.add(stream)
        response.once('close', () => {
          channel.streams.delete(stream)
          if (channel.streams.size === 0) channels.delete(orgId)
        })
        try {
          await Promise.all([follow(channel), endOutdated([stream])])
        } catch (error) {
          if (!isUnavailable(error)) onError(error)
          response.end()
          return
        }
        for (const each of presence.all(orgId)) notePresence(stream, each)
        begin(channel, stream, startOf(channel.recent, lastEventId, now()))
      }
    },
    async start() {
      const onNotice = async (orgId: string) => {
        const channel = channels.get(orgId)
        if (channel) await follow(channel)
      }
      const onReconnect = async () => void (await Promise.all([...channels.values()].map(follow)))
      await database.listen(recordedChannel, onNotice, onReconnect)
      rounds = setInterval(() => void round().catch((error) => isUnavailable(error) || onError(error)), roundIntervalMs)
      rounds.unref()
    },
    stop() {
      stopped = true
      clearInterval(rounds)
      for (const { response } of streams()) response.end()
    },
  }
}

async function openChannel(db: Db, channels: ReadonlyMap<string, Channel>, orgId: string): Promise<Channel> {
  const known = channels.get(orgId)
  if (known) return known
  const recent = await newestChanges(db, orgId, keptChanges)
  // A second stream can have opened it meanwhile.
  return channels.get(orgId) ?? { orgId, recent, streams: new Set(), isBehind: false, reading: undefined }
}

function tellWhoEdits(presence: Context['presence'], channels: ReadonlyMap<string, Channel>): void {
  presence.watch((orgId, changed) => {
    const channel = channels.get(orgId)
    for (const stream of channel?.streams ?? []) {
      notePresence(stream, changed)
      send(channel!, stream)
    }
  })
}

function showStreams(registry: Registry, count: () => number): void {
  new Gauge({
    name: 'svc_dashboard_streams',
    help: 'Open streams of changes to dashboards',
    registers: [registry],
    collect() {
      this.set(count())
    },
  })
}

/** Reads the changes of channels, and ends streams that must not go on. */
function following(db: Db, now: () => Date) {
  /** Reads what was committed since. Several notices at once cost one read. */
  function follow(channel: Channel): Promise<void> {
    channel.isBehind = true
    channel.reading ??= readOn(channel)
    return channel.reading
  }

  async function readOn(channel: Channel): Promise<void> {
    try {
      while (channel.isBehind) {
        channel.isBehind = false
        const changes = await listChanges(db, channel.orgId, lastOf(channel), keptChanges)
        if (changes.length === keptChanges) channel.isBehind = true
        if (changes.some(decidesWhoSees)) await endOutdated([...channel.streams])
        channel.recent = [...channel.recent, ...changes].slice(-keptChanges)
        for (const stream of channel.streams) send(channel, stream)
      }
    } finally {
      channel.reading = undefined
    }
  }

  /** Ends streams whose session has ended or whose person sees other things now. The browser connects again. */
  async function endOutdated(all: readonly Stream[]): Promise<void> {
    const credentials = await signedInSessions(
      db,
      all.map(({ sessionId }) => sessionId),
      now(),
    )
    const bySession = new Map(credentials.map((credential) => [credential.id, credential]))
    for (const stream of all) if (!isCurrent(stream, bySession.get(stream.sessionId))) stream.response.end()
  }

  return { follow, endOutdated }
}

/** Sends where the stream begins, and then the changes that it missed. Null if it missed more than is kept. */
function begin(channel: Channel, stream: Stream, start: number | null): void {
  stream.seq = start ?? lastOf(channel)
  stream.open = true
  const greeting = readyFrame(stream.seq, lastOf(channel)) + (start === null ? gapFrame(stream.seq) : '')
  write(stream, retryFrame(Math.random()) + greeting, () => send(channel, stream))
}

function notePresence({ reader, presences }: Stream, presence: Presence): void {
  if (isToldWhoEdits(presence, reader)) presences.set(presence.experimentId, presenceFrame(presence))
}

function send(channel: Channel, stream: Stream): void {
  if (!stream.open || stream.writing) return
  const { presences } = stream
  if (presences.size > 0) {
    const first = [...presences].slice(0, presencesPerWrite)
    for (const [experimentId] of first) presences.delete(experimentId)
    return write(stream, first.map(([, frame]) => frame).join(''), () => send(channel, stream))
  }
  if (stream.seq >= lastOf(channel)) return
  const { recent } = channel
  if (stream.seq < recent[0]!.seq - 1) {
    stream.seq = lastOf(channel)
    return write(stream, gapFrame(stream.seq), () => send(channel, stream))
  }
  const frames: string[] = []
  for (const change of recent.slice(recent.findLastIndex(({ seq }) => seq <= stream.seq) + 1)) {
    if (frames.length === changesPerWrite) break
    if (isToldTo(change, stream.reader)) frames.push(changeFrame(change))
    stream.seq = change.seq
  }
  if (frames.length > 0) write(stream, frames.join(''), () => send(channel, stream))
}

function overLimit(all: readonly Stream[], userId: string, limits: typeof usualLimits): Refusal | undefined {
  if (all.length >= limits.streamsPerNode)
    return refuse('unavailable', 'This node has the maximum number of streams. Try again later.', { retryAfterSeconds })
  if (all.filter(({ reader }) => reader.userId === userId).length >= limits.streamsPerPerson)
    return refuse('rate_limited', 'You have the maximum number of streams on this node. Try again later.', {
      limit: limits.streamsPerPerson,
      retryAfterSeconds,
    })
  return undefined
}

const lastOf = ({ recent }: Channel): number => recent.at(-1)?.seq ?? 0

function isCurrent({ reader, orgId }: Stream, credential: Credential | undefined): boolean {
  const membership = credential?.memberships.find(({ organization }) => organization.id === orgId)
  return membership !== undefined && seesTheSame(membership, reader)
}
