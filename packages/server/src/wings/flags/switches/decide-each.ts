import { isRefusal, notFound, type Refusal } from '../../../catalogue/refusals.ts'
import type { IfMatch } from '../../../http/etag.ts'
import type { Author } from '../../../platform/outbox.ts'
import type { LockedFlagEnvironment } from '../../model/flag-environments/index.ts'
import { namesSame, statusOf } from '../../model/versions/index.ts'
import {
  changedFlag,
  type FlagStateRow,
  movesParts,
  type Publication,
  type PublishedEnvironment,
  type Republished,
} from '../../serving/datafile/index.ts'
import type { LockedFlag } from '../flags/index.ts'
import type { SwitchFacts } from './queries.ts'
import type { Schedule } from './schedules/schedule.ts'
import { decideSwitch, type Move, type Next, type Standing, type Wanted } from './switch.ts'

export interface WhichEnvironment {
  orgId: string
  projectId: string
  flagId: string
  envId: string
}

/** A request to switch a flag in an environment. */
export type Asked = {
  which: WhichEnvironment
  by: Author
  /** The flag is named by a person, who can see it. */
  named?: true
  /** The failed checks for which the service acts. The audit log keeps them. */
  because?: readonly string[]
} & ({ move: Move | null; defaultVariationId?: string | undefined; ifMatch?: IfMatch } | { scheduleId: string })

/** What a switch and its data file depend on. */
export type Place = Omit<Standing, 'row'> & {
  row: LockedFlagEnvironment
  environment: PublishedEnvironment
  facts: SwitchFacts
}

export interface Decision {
  asked: Asked
  place: Place
  next: Next
  /** The flag after the switch. */
  state: FlagStateRow
  /** Whether the switch may change which audiences or segments the data file needs. */
  movesParts: boolean
}

/** A decision that is published. `publication` is that of before if the data file stays the same. */
export interface Done extends Decision {
  publication: Pick<Publication, 'revision' | 'previousRevision' | 'etag' | 'publishedAt'>
  events: Republished['events']
}

export function placesOf(
  environment: PublishedEnvironment,
  flags: readonly LockedFlag[],
  facts: readonly SwitchFacts[],
  schedules: readonly Schedule[],
): Map<string, Place> {
  const factsOf = new Map(facts.map((each) => [each.flagId, each]))
  return new Map(
    flags.map(({ flag, row }) => {
      const known = factsOf.get(flag.id)!
      const drafts = new Set(known.owners.flatMap(({ ruleId, launched }) => (launched ? [] : [ruleId])))
      const rules = new Map(
        known.rules.map(({ id, enabled, experimentId }) => [id, { enabled, experimentId, launches: drafts.has(id) }]),
      )
      const open = schedules.filter(({ flagId }) => flagId === flag.id)
      return [flag.id, { environment, flag, row, rules, schedules: open, facts: known }]
    }),
  )
}

/** What somebody asks for, once the place is known. */
export type WantedOf = (asked: Asked, place: Place) => Wanted

/**
 * Decides on several requests for one environment. Switches of different flags can go together if they do not change
 * the audiences and segments of the data file. Null if this one must be decided again, alone.
 */
export function decideEach(
  asked: readonly Asked[],
  places: ReadonlyMap<string, Place>,
  wantedOf: WantedOf,
): (Decision | Refusal | null)[] {
  const seen = new Set<string>()
  return asked.map((each) => {
    const place = places.get(each.which.flagId)
    if (!place || (each.named && place.flag.kind !== 'FLAG')) return notFound('Flag')
    if (seen.has(place.flag.id)) return null
    const decision = decide(each, place, wantedOf(each, place))
    if (isRefusal(decision)) return decision
    if (decision.movesParts && asked.length > 1) return null
    seen.add(place.flag.id)
    return decision
  })
}

function decide(asked: Asked, place: Place, wanted: Wanted): Decision | Refusal {
  const next = decideSwitch(place, wanted, asked.by.now)
  if (isRefusal(next)) return next
  const { flag, row, rules } = next
  const { id, shortId, key, name, type, kind } = flag
  const state: FlagStateRow = {
    ...{ id, shortId, key, name, type, kind },
    status: statusOf(flag, row.enabled || place.facts.enabledElsewhere),
    archived: flag.archivedAt !== null,
    enabled: row.enabled,
    live: row.live,
    fragment: place.facts.fragment,
    served: place.facts.served,
    shortIds: place.facts.shortIds,
    owners: place.facts.owners,
    enabledRules: [...rules].filter(([, { enabled }]) => enabled).map(([ruleId]) => ruleId),
  }
  const namesOthers = !namesSame(place.row.live, row.live)
  return { asked, place, next, state, movesParts: namesOthers || movesParts(changedFlag(state)) }
}
