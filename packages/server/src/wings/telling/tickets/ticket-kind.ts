import type { z } from 'zod'
import type { EventName } from '../../../catalogue/events.ts'
import type { TicketManner, TicketStep } from './ticket.ts'

/** What an event says, in no vendor's words. All texts are plain. */
export interface Message {
  tone: 'GOOD' | 'INFO' | 'WARNING' | 'BAD'
  title: string
  summary: string
  facts: readonly { label: string; value: string }[]
  link: { label: string; url: string }
  project: string
  actor: string
  at: Date
  /** What it is about: one ticket or alarm for each key. */
  key: string
}

/** The vendor's answer. Names of headers are in lower case. `status`: null if there was no answer. */
export interface Answer {
  status: number | null
  headers: Readonly<Record<string, string>>
  body: string
}

/** One HTTPS request. */
export interface Outgoing {
  via: 'https'
  method: 'GET' | 'POST' | 'PUT' | 'PATCH'
  url: string
  headers: Record<string, string>
  body: string | null
  /** How much of the answer is needed, if that is more than usual. */
  answerMaxBytes?: number
}

export interface Verdict {
  verdict: 'DELIVERED' | 'HOLD' | 'PERMANENT' | 'RETRY'
  /** How long the vendor asks to wait, if it says so. */
  holdMs?: number
  error?: string
  /** The ticket that was made or found. */
  external?: { id: string; url: string | null }
  /** The ticket does not exist, or the request would make it a second time. */
  ticket?: 'MISSING' | 'REPEATED'
}

/** A kind that keeps one ticket or alarm for each key, instead of sending messages. */
export interface TicketKind<Config> {
  config: z.ZodType<Config>
  /** Fields that are sealed and never answered. */
  secrets: readonly (keyof Config)[]
  /** Fields with addresses, which obey the rules for those of webhooks. */
  urls: readonly (keyof Config)[]
  /** The time between two requests. */
  paceMs: number
  folds: false
  mannerOf(config: Config): TicketManner
  /** Whether a message needs a new ticket. */
  opens(message: Message): boolean
  requestOf(input: TicketRequest<Config>): Outgoing
  judge(answer: Answer, now: Date, step: TicketStep, config: Config): Verdict
}

export interface TicketRequest<Config> {
  config: Config
  message: Message
  eventType: EventName
  step: TicketStep
}
