import type { EventName } from './events.ts'
import { invalid, type Refusal, refuse } from './refusals.ts'
import { holdsScope, type Scope } from './scopes.ts'

/** Where the bodies of events have figures of results: only who can read results sees them. */
const figuresIn: Readonly<Partial<Record<EventName, string>>> = {
  'flag.results_ready': 'results',
  'experiment.results_ready': 'results',
  'experiment.guardrail_metric_breached': 'alarm',
}

export const figureEvents = Object.keys(figuresIn) as EventName[]

const scope: Scope = 'results:read'

interface Reader {
  scopes: ReadonlySet<Scope>
}

export const seesFigures = ({ scopes }: Reader): boolean => holdsScope(scopes, scope)

/** A caller without any scope, who sees no figures. */
export const withoutFigures: Reader = { scopes: new Set() }

const fieldIn = (event: unknown): string | undefined =>
  Object.hasOwn(figuresIn, String(event)) ? figuresIn[event as EventName] : undefined

/** The body of an event as a caller can see it: without `results:read`, the figures are left out. */
export function shownBody<Body extends Readonly<Record<string, unknown>>>(body: Body, reader: Reader): Body {
  const field = fieldIn(body.event)
  if (field === undefined || seesFigures(reader)) return body
  const { [field]: _figures, ...rest } = body
  return rest as Body
}

/**
 * Why a caller cannot have these events sent somewhere.
 *
 * @param path where the body has the events
 */
export function refusesFigures(
  events: readonly string[] | undefined,
  reader: Reader,
  path: (string | number)[] = ['events'],
): Refusal | undefined {
  const told = events?.find((name) => fieldIn(name) !== undefined)
  if (told === undefined || seesFigures(reader)) return undefined
  return invalid({ path, message: `Must not have ${told}, which contains results: this requires the scope ${scope}.` })
}

/** Why a caller cannot have an event sent again: the destination can have a different address than before. */
export function refusesTelling(event: string, reader: Reader): Refusal | undefined {
  if (fieldIn(event) === undefined || seesFigures(reader)) return undefined
  return refuse('scope_missing', `${event} contains results: this call requires the scope ${scope}.`, { scope })
}
