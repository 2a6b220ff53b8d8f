import type { Data } from '@svc/client'
import type { ProjectIndex } from '../../../shell/index-query.ts'
import type { ChangeNames } from '../../../ui/changes/change-words.ts'
import { namesById } from '../../../ui/conditions/condition-words.ts'
import { counted } from '../../../ui/words/lists.ts'

/** What the next publish of an environment would make live. */
export type Staged = Data<'/api/v1/projects/{projectId}/environments/{envId}/staged', 'get'>

interface Changed {
  changes: readonly { path: string; to?: unknown; rules: readonly { id: string; name: string }[] }[]
}

interface StagedList {
  flags: readonly (Changed & { flagId: string })[]
  experiments?: readonly (Changed & { id: string })[]
  audiences: readonly (Changed & { audienceId: string })[]
}

/** The flags for which a person came to the page stand first. The others keep their order. */
export const withFirst = <Flag extends { key: string }>(flags: readonly Flag[], keys: readonly string[]): Flag[] =>
  flags.toSorted((one, other) => Number(keys.includes(other.key)) - Number(keys.includes(one.key)))

export const countOf = (items: readonly Changed[]): number =>
  items.reduce((sum, { changes }) => sum + changes.length, 0)

/** A change with its new value: another value for the same thing is new to the person, too. */
export const lineOf = ({ path, to }: { path: string; to?: unknown }): string => JSON.stringify([path, to])

/** Every change of the list. `place` is "<id of flag, experiment or audience> <path>"; `text` also has the staged value. */
const linesOf = ({ flags, experiments = [], audiences }: StagedList): { place: string; text: string }[] => {
  const lines = (id: string, changes: Changed['changes']) =>
    changes.map((change) => ({ place: `${id} ${change.path}`, text: `${id} ${lineOf(change)}` }))
  return [
    ...flags.flatMap(({ flagId, changes }) => lines(flagId, changes)),
    ...experiments.flatMap(({ id, changes }) => lines(id, changes)),
    ...audiences.flatMap(({ audienceId, changes }) => lines(audienceId, changes)),
  ]
}

/** What a person has read of the list, to compare with a later one. */
export const seenIn = (list: StagedList): ReadonlySet<string> => new Set(linesOf(list).map(({ text }) => text))

/** The places of changes that were not there before, or gave a different value. */
export const freshPaths = (list: StagedList, seen: ReadonlySet<string>): ReadonlySet<string> =>
  new Set(linesOf(list).flatMap(({ place, text }) => (seen.has(text) ? [] : [place])))

/** Names for sentences: the list names its rules, the index audiences and segments. */
export function changeNames({ flags }: { flags: readonly Changed[] }, index: ProjectIndex | undefined): ChangeNames {
  const rules = flags.flatMap(({ changes }) => changes.flatMap((change) => change.rules))
  return { rules: namesById(rules), audiences: namesById(index?.audiences), segments: namesById(index?.segments) }
}

interface Warning {
  ruleId: string
  visitors: number | null
}

/** The warnings about rules of these flags, and the changes that they follow from, as a text to compare. */
export function movesOf(
  flags: readonly Changed[],
  warnings: readonly Warning[],
): { warnings: readonly Warning[]; subject: string } {
  const changes = flags.flatMap(({ changes }) => changes)
  const own = warnings.filter(({ ruleId }) => changes.some(({ path }) => path.startsWith(`rules.${ruleId}`)))
  const causes = changes.filter(({ path }) => own.some(({ ruleId }) => path.startsWith(`rules.${ruleId}`)))
  return { warnings: own, subject: JSON.stringify(causes) }
}

/** What a publish does to visitors who have been counted already. */
export function warningSentence({ ruleId, visitors }: Warning, { rules }: ChangeNames): string {
  const rule = rules?.get(ruleId) ?? 'An A/B test'
  const who = visitors === null ? 'some visitors' : `about ${counted(visitors, 'counted visitor')}`
  return `${rule}: new weights give ${who} another variation. A new phase of its results begins.`
}
