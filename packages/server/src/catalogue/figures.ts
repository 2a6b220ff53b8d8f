import { invalid, type Refusal } from './refusals.ts'
import { holdsScope, type Scope } from './scopes.ts'

/** Where the bodies of events have figures of results: only who can read results sees them. */
const figuresIn: Readonly<Record<string, string>> = {
  'flag.results_ready': 'results',
  'experiment.results_ready': 'results',
  'experiment.guardrail_metric_breached': 'alarm',
}

export const figureEvents = Object.keys(figuresIn)

const scope: Scope = 'results:read'

interface Reader {
  scopes: ReadonlySet<Scope>
}

/** The body of an event as a caller can see it: without `results:read`, the figures are left out. */
export function shownBody<Body extends Readonly<Record<string, unknown>>>(body: Body, { scopes }: Reader): Body {
  const field = figuresIn[String(body.event)]
  if (field === undefined || holdsScope(scopes, scope)) return body
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
  { scopes }: Reader,
  path: (string | number)[] = ['events'],
): Refusal | undefined {
  const told = events?.find((name) => Object.hasOwn(figuresIn, name))
  if (told === undefined || holdsScope(scopes, scope)) return undefined
  return invalid({ path, message: `Must not have ${told}, which tells results: this requires the scope ${scope}.` })
}
