import { counted } from '@svc/core'
import { type Issue, invalid, isRefusal, type Refusal, refuseIssues } from '../../../catalogue/refusals.ts'
import { discarded, type FlagEnvironment, type Version } from '../../model/versions/index.ts'
import { readVariations, type Typed } from '../flags/index.ts'
import { maxRulesPerEnvironment } from '../rules/index.ts'

const leastVariations = 2
const mostVariations = 4

/** The draft without the changes at these paths, or the reason why they cannot be discarded alone. */
export function discardedDraft(
  flag: Typed,
  { live, draft }: Pick<FlagEnvironment, 'live' | 'draft'>,
  paths: readonly string[],
): Version | Refusal {
  const next = discarded({ live, draft }, paths)
  if ('issues' in next) return refuseIssues(next.issues)!
  return refusesCounts(next, paths) ?? refusesValues(flag, next, paths) ?? next
}

function refusesCounts({ variations, rules }: Version, paths: readonly string[]): Refusal | undefined {
  const { length } = variations
  if (length < leastVariations || length > mostVariations) {
    const bounds = `${leastVariations} to ${mostVariations}`
    const message = `The flag would have ${counted(length, 'variation')}, but it must have ${bounds}. Discard more changes of variations.`
    return invalid(...at(paths, 'variations.', message))
  }
  if (rules.length <= maxRulesPerEnvironment) return undefined
  const message = `The flag would have ${rules.length} rules, but it can have at most ${maxRulesPerEnvironment}. Discard new rules too.`
  return invalid(...at(paths, 'rules.', message))
}

/** A swap of the two values of a BOOLEAN flag can only be discarded whole. */
function refusesValues(flag: Typed, { variations }: Version, paths: readonly string[]): Refusal | undefined {
  const read = readVariations(flag, variations)
  if (!isRefusal(read)) return undefined
  return invalid(...at(paths, 'variations.', `${read.message} Discard the changes of the other variations too.`))
}

/** An issue at each path that begins like this. */
function at(paths: readonly string[], prefix: string, message: string): [Issue, ...Issue[]] {
  const [first, ...others] = paths.flatMap((path, place) =>
    path.startsWith(prefix) ? [{ path: ['paths', place], message }] : [],
  )
  return first ? [first, ...others] : [{ path: ['paths'], message }]
}
