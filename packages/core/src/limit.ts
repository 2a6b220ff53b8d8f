import { own } from './record.ts'

/** Keeps units out of a rule: `HOLDOUT` if a holdout does, an empty text if its exclusion group does. */
export type Limit = (unit: string) => 'HOLDOUT' | '' | undefined

// As in `datafile.ts`, which depends on this file through conditions.
type Group = { salt: string; slots: { ruleId: string; from: number; to: number }[] }
type Holdout = { salt: string; share: number }
type File = { exclusionGroups: Record<string, Group>; holdouts?: Record<string, Holdout> }

type CompileBucket = (salt: string) => (unit: string) => number
type Draw = (unit: string) => boolean

/** The limit of a rule; undefined if it has neither a holdout nor an exclusion group. */
export function limitOf(
  { id, group, holdout }: { id: string; group?: string; holdout?: string },
  file: File,
  compileBucket: CompileBucket,
): Limit | undefined {
  if (!group && !holdout) return undefined
  const isHeldOut = holdout ? compileHoldout(own(file.holdouts, holdout), compileBucket) : undefined
  const isInGroup = group ? compileGroup(id, own(file.exclusionGroups, group), compileBucket) : undefined
  return (unit) => {
    if (isHeldOut?.(unit)) return 'HOLDOUT'
    return isInGroup && !isInGroup(unit) ? '' : undefined
  }
}

/** A group that is missing in the file has no members. */
function compileGroup(ruleId: string, group: Group | undefined, compileBucket: CompileBucket): Draw {
  if (!group) return () => false
  const draw = compileBucket(group.salt)
  const slots = group.slots.filter((slot) => slot.ruleId === ruleId)
  return (unit) => {
    const drawn = draw(unit)
    return slots.some(({ from, to }) => from <= drawn && drawn < to)
  }
}

/** A holdout that is missing in the file contains every visitor. */
function compileHoldout(holdout: Holdout | undefined, compileBucket: CompileBucket): Draw {
  if (!holdout) return () => true
  const draw = compileBucket(holdout.salt)
  return (unit) => draw(unit) < holdout.share
}
