import type { ServerResponse } from 'node:http'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { Gauge, type Registry } from 'prom-client'
import { type Refusal, refuse } from '../../../catalogue/refusals.ts'
import { type EventStream, eventStream, ping, retryFrame, write } from '../../../http/event-stream.ts'
import type { DataFileStore, ServedDataFile } from '../datafile/index.ts'
import { changeFrame } from './frame.ts'
import { type StreamLimits, streamLimits } from './limits.ts'

export const pingIntervalMs = 30_000
const usualPerAddress = 1_000
const retryAfterSeconds = 10
/** Yields to other requests after writing to this many streams. */
const sliceSize = 256

export interface DataFileStreams {
  /** Refuses a new stream over the limits or during shutdown. */
  refusesAnother(envId: string, address: string): Refusal | undefined
  /** Sends revisions newer than what the client has seen, now and while it listens. */
  open(client: Client, file: ServedDataFile, response: ServerResponse): Promise<void>
  /** Ends all streams. The clients reconnect to a different node. */
  stop(): void
}

export interface Client {
  sdkKey: string
  /** Where it is, as limits count it. */
  address: string
  /** The revision that it has. */
  seen: number
}

/** One client. `revision` is the newest one that was written to it; during a write, only the newest one waits. */
interface Stream extends EventStream {
  sdkKey: string
  revision: number
}

/** The streams of an environment, and the frame for those that are not up to date: one buffer for all. */
interface Channel {
  file: ServedDataFile
  frame: Buffer | null
  streams: Set<Stream>
  spreading: boolean
}

interface Options {
  registry: Registry
  onError: (error: unknown) => void
  limits?: StreamLimits
  /** Notes that a client listens with this SDK key. */
  used?: (sdkKey: string) => void
}

export function dataFileStreams(
  store: DataFileStore,
  { registry, onError, limits = streamLimits(usualPerAddress, null), used = () => {} }: Options,
): DataFileStreams {
  const channels = new Map<string, Channel>()
  const counted = counts()
  let stopped = false
  showStreams(registry, counted.all)

  function follow(envId: string, file: ServedDataFile | null): void {
    const channel = channels.get(envId)
    if (!channel) return
    if (file === null) end(channel)
    else if (file.revision > channel.file.revision) {
      channel.file = file
      announce(channel).catch(onError)
    }
  }

  async function pingAll(): Promise<void> {
    for (const channel of channels.values())
      await eachInSlices(channel.streams, (stream) => {
        used(stream.sdkKey)
        ping(stream, () => send(channel, stream))
      })
  }

  const end = (channel: Channel) => {
    for (const { response } of channel.streams) response.end()
  }

  /** The clients with the other key of the environment go on listening. */
  function endRevoked(envId: string, revoked: string): void {
    for (const { sdkKey, response } of channels.get(envId)?.streams ?? []) if (sdkKey === revoked) response.end()
  }

  store.watch(follow)
  store.watchKeys(endRevoked)
  const pings = setInterval(() => void pingAll(), pingIntervalMs).unref()

  return {
    refusesAnother(envId, address) {
      if (stopped) return refuse('unavailable', 'This node is shutting down.')
      const ofKey = channels.get(envId)?.streams.size ?? 0
      return overLimit(limits, { ofNode: counted.all(), ofKey, ofAddress: counted.from(envId, address) })
    },
    async open({ sdkKey, address, seen }, file, response) {
      // The client can have left while its key was looked up: then no event ends the stream.
      if (response.destroyed || response.closed) return
      const { envId } = file
      const channel = channels.get(envId) ?? { file, frame: null, streams: new Set(), spreading: false }
      const stream: Stream = { ...eventStream(response), sdkKey, revision: seen }
      channels.set(envId, channel)
      channel.streams.add(stream)
      const leave = counted.enter(envId, address)
      response.once('close', () => {
        channel.streams.delete(stream)
        leave()
        if (channel.streams.size === 0) channels.delete(envId)
      })
      write(stream, retryFrame(Math.random()), () => send(channel, stream))
      used(sdkKey)
      if (channel.frame === null) await announce(channel)
      // The file may have changed, or the key been revoked, before the channel existed.
      const now = await store.find(sdkKey)
      if (now) follow(envId, now)
      else response.end()
    },
    stop() {
      stopped = true
      clearInterval(pings)
      for (const channel of channels.values()) end(channel)
    },
  }
}

function showStreams(registry: Registry, count: () => number): void {
  new Gauge({
    name: 'svc_streams',
    help: 'Open SDK streams',
    registers: [registry],
    collect() {
      this.set(count())
    },
  })
}

/** Streams that join meanwhile come last, and those that leave are skipped. */
async function eachInSlices(streams: ReadonlySet<Stream>, work: (stream: Stream) => void): Promise<void> {
  let done = 0
  for (const stream of streams) {
    work(stream)
    done += 1
    if (done % sliceSize === 0) await nextTurn()
  }
}

/** Writes the newest file to all streams that do not have it. What comes meanwhile is written afterwards. */
async function announce(channel: Channel): Promise<void> {
  channel.frame = changeFrame(channel.file)
  if (channel.spreading) return
  channel.spreading = true
  let spread: ServedDataFile
  do {
    spread = channel.file
    await eachInSlices(channel.streams, (stream) => send(channel, stream))
  } while (channel.file !== spread)
  channel.spreading = false
}

function send(channel: Channel, stream: Stream): void {
  const { file, frame } = channel
  if (!frame || stream.writing || stream.revision >= file.revision) return
  stream.revision = file.revision
  write(stream, frame, () => send(channel, stream))
}

/** How many streams there are, in all and with a key from an address. */
function counts() {
  let all = 0
  /** No larger than the number of streams. */
  const byAddress = new Map<string, number>()
  const placeOf = (envId: string, address: string) => `${envId} ${address}`
  return {
    all: () => all,
    from: (envId: string, address: string) => byAddress.get(placeOf(envId, address)) ?? 0,
    /** Counts one more, until the result is called. */
    enter(envId: string, address: string): () => void {
      const place = placeOf(envId, address)
      all += 1
      byAddress.set(place, (byAddress.get(place) ?? 0) + 1)
      return () => {
        all -= 1
        const left = byAddress.get(place)! - 1
        if (left > 0) byAddress.set(place, left)
        else byAddress.delete(place)
      }
    },
  }
}

function overLimit(
  limits: StreamLimits,
  { ofNode, ofKey, ofAddress }: { ofNode: number; ofKey: number; ofAddress: number },
): Refusal | undefined {
  if (ofNode >= limits.streamsPerNode)
    return refuse('unavailable', 'This node has the maximum number of streams. Try again later.', { retryAfterSeconds })
  if (ofKey >= limits.streamsPerKey)
    return refuse('rate_limited', 'This SDK key has the maximum number of streams on this node. Try again later.', {
      limit: limits.streamsPerKey,
      retryAfterSeconds,
    })
  if (ofAddress >= limits.streamsPerAddress)
    return refuse(
      'rate_limited',
      'This address has the maximum number of streams with this SDK key on this node. Try again later.',
      { limit: limits.streamsPerAddress, retryAfterSeconds },
    )
  return undefined
}
